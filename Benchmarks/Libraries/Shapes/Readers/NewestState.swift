import Aggregate
import Streams

extension Shape {
  /// The pipeline with a task that reads the newest state meanwhile. What is measured is the sender: the reader may be
  /// as late as it likes, and is over when it has seen the last state.
  static let pipelineWithReader = Shape("pipeline-with-reader", events: 100_000) { events in
    let tally = Tally()
    let pipeline = AggregatorPipeline(tally)
    let readiness = Readiness()
    let states = pipeline.aggregator.select(\.self).values
    let reader = readiness.read(states, into: NavigationState()) { last, state in last = state }
    await readiness.wait(for: 1)
    return Run {
      pipeline.sendAlternately(events)
    } proofs: {
      pipeline.aggregator.finish()
      let last = await reader.value
      return [
        Proof("deliveries", tally.count, is: events + 3),
        Proof("last state read", max(last.heading, Int(last.speed)), is: events),
      ]
    }
  }
}
