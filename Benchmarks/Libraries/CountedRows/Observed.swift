import Aggregate
import Counting
import RASPObservation

/// What a view reads and sends. The rows run on the first thread, which is that of the main actor.
let observedRows: [CountedRow] = [
  CountedRow("observed.read") {
    onMainActor {
      let pairs = Observed(Aggregator(initial: Pair()))
      let sink = Sink()
      return { count in
        for _ in 0..<count { sink.see(pairs.a &+ 1) }
        precondition(sink.sum >= count)
      }
    }
  },
  CountedRow("observed.send") {
    onMainActor {
      let pairs = Observed(Aggregator(initial: Pair()))
      return { count in
        for number in 0..<count { pairs.send(.a(number)) }
        precondition(pairs.a == count - 1)
      }
    }
  },
]

/// Makes a row whose work belongs to the main actor.
private func onMainActor(_ make: @MainActor () -> @MainActor (Int) -> Void) -> @Sendable (Int) -> Void {
  MainActor.assumeIsolated {
    let work = make()
    let repeated: @Sendable (Int) -> Void = { count in MainActor.assumeIsolated { work(count) } }
    return repeated
  }
}
