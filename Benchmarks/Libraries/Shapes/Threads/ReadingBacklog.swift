import Aggregate
import RASPTesting
import Streams
import Synchronization

/// A state to which an event takes a while.
private struct HeavyState: AggregateState {
  var count = 0

  mutating func apply(_ event: Int) {
    spin(for: .microseconds(20))
    count += 1
  }
}

extension Shape {
  /// A thread reads the state at random times while another one folds a backlog. What is measured is the mean time of a
  /// read.
  static let readingBacklog = readingBacklog {
    let aggregator = Aggregator(initial: HeavyState())
    return ({ aggregator.send(contentsOf: $0) }, { aggregator.snapshot.count })
  }

  /// The same with a lock around each event and each read.
  static let readingBacklogByHand = readingBacklog {
    let state = Held(HeavyState())
    return (
      { events in for event in events { state.value.withLock { $0.apply(event) } } },
      { state.value.withLock { $0.count } }
    )
  }

  private static func readingBacklog(
    _ make: @escaping @Sendable () -> (fold: @Sendable (Range<Int>) -> Void, read: @Sendable () -> Int)
  ) -> Shape {
    Shape(events: 2_500) { events in
      let (fold, read) = make()
      let waits = Held((sum: Duration.zero, count: 0))
      return Run {
        [Proof("folded events", read(), is: events)]
      } measured: {
        let isOver = Tally()
        Threads.run(count: 2) { thread in
          if thread == 0 {
            fold(0..<events)
            isOver.increment()
          } else {
            var generator = LinearCongruence()
            while isOver.count == 0 {
              spin(for: .microseconds(Int.random(in: 0...200, using: &generator)))
              let start = ContinuousClock.now
              _ = read()
              let wait = ContinuousClock.now - start
              waits.value.withLock { $0 = ($0.sum + wait, $0.count + 1) }
            }
          }
        }
        // As if each event were a read, because a measurement is divided by its events.
        return waits.value.withLock { $0.sum / max($0.count, 1) * events }
      }
    }
  }
}

/// A lock in an object, for closures to share.
private final class Held<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
