import Aggregate
import Streams
import Synchronization

/// What an aggregator does at least, by hand: an object with a lock around a state and a list of observers.
private final class HandWrittenModel: Sendable {
  private struct Contents {
    var state = NavigationState()
    var observers: [@Sendable (NavigationState) -> Void] = []
  }

  private let contents = Mutex(Contents())

  @inline(never)
  init() {}

  func send(_ event: NavigationEvent) {
    contents.withLock { contents in
      contents.state.apply(event)
      for observer in contents.observers { observer(contents.state) }
    }
  }

  var heading: Int { contents.withLock { $0.state.heading } }
}

extension Shape {
  /// An aggregator without sources that is made, gets an event and is released. That is one event of the shape.
  static let makingAggregator = Shape("making-aggregator", events: 5_000) { events in
    let tally = Tally()
    return Run {
      for event in 1...events {
        let aggregator = Aggregator(initial: NavigationState())
        aggregator.send(.heading(event))
        tally.increment(by: aggregator.snapshot.heading)
      }
    } proofs: {
      [Proof("sum of the headings", tally.count, is: events * (events + 1) / 2)]
    }
  }

  /// The same by hand.
  static let makingModelByHand = Shape("making-model-by-hand", events: 20_000) { events in
    let tally = Tally()
    return Run {
      for event in 1...events {
        let model = HandWrittenModel()
        model.send(.heading(event))
        tally.increment(by: model.heading)
      }
    } proofs: {
      [Proof("sum of the headings", tally.count, is: events * (events + 1) / 2)]
    }
  }
}
