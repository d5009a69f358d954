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

/// What is told of the times that reads took.
enum ReadTime: Sendable {
  case mean
  /// No more than one of 1,000 reads took longer.
  case slowest

  func callAsFunction(of times: [Duration]) -> Duration {
    if times.isEmpty { return .zero }
    switch self {
    case .mean: return times.reduce(.zero, +) / times.count
    case .slowest: return times.sorted()[(times.count - 1) * 999 / 1_000]
    }
  }
}

extension Shape {
  /// A thread reads the state at random times while another one folds a backlog. What is measured is the time of a
  /// read.
  static func readingBacklog(_ time: ReadTime) -> Shape {
    readingBacklog(time) {
      let aggregator = Aggregator(initial: HeavyState())
      return ({ aggregator.send(contentsOf: $0) }, { aggregator.snapshot.count })
    }
  }

  /// The same with a lock around each event and each read.
  static func readingBacklogByHand(_ time: ReadTime) -> Shape {
    readingBacklog(time) {
      let state = Held(HeavyState())
      return (
        { events in for event in events { state.value.withLock { $0.apply(event) } } },
        { state.value.withLock { $0.count } }
      )
    }
  }

  private static func readingBacklog(
    _ time: ReadTime,
    _ make: @escaping @Sendable () -> (fold: @Sendable (Range<Int>) -> Void, read: @Sendable () -> Int)
  ) -> Shape {
    // About 20 reads for each 100 events: enough of them to tell of one in 1,000.
    Shape(events: time == .mean ? 2_500 : 20_000) { events in
      let (fold, read) = make()
      let waits = Held<[Duration]>([])
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
              waits.value.withLock { $0.append(wait) }
            }
          }
        }
        // As if each event were a read, because a measurement is divided by its events.
        return waits.value.withLock { time(of: $0) } * events
      }
    }
  }
}

/// A lock in an object, for closures to share.
private final class Held<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
