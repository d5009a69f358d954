import Aggregate
import RASPTesting
import Streams
import Synchronization

/// A count, and its field to observe.
private struct CounterState: AggregateState {
  var count = 0
  var sum = 0

  mutating func apply(_ value: Int) {
    count += 1
    sum &+= value
  }
}

/// What threads send to and read from, however it is made.
private protocol Counter: Sendable {
  init(_ tally: Tally)
  func send(_ value: Int)
  var state: CounterState { get }
}

private struct AggregatorCounter: Counter {
  private let aggregator = Aggregator(initial: CounterState())
  private let subscription: Subscription

  init(_ tally: Tally) {
    subscription = aggregator.select(\.count).subscribe { if $0 > 0 { tally.increment() } }
  }

  @inline(never)
  func send(_ value: Int) { aggregator.send(value) }

  var state: CounterState { aggregator.snapshot }
}

/// The same by hand: a lock around the fold, the compare and the observer.
private final class HandWrittenCounter: Counter {
  private struct Contents {
    var state = CounterState()
    var count = 0
  }

  private let contents = Mutex(Contents())
  private let tally: Tally

  init(_ tally: Tally) { self.tally = tally }

  @inline(never)
  func send(_ value: Int) {
    contents.withLock { contents in
      contents.state.apply(value)
      if contents.state.count != contents.count {
        contents.count = contents.state.count
        tally.increment()
      }
    }
  }

  var state: CounterState { contents.withLock { $0.state } }
}

extension Tally {
  /// Returns when so many deliveries have been counted. A sender that has delivered for others for long enough hands
  /// the rest of the line to a task, so it may come back before. After some seconds this returns all the same, and the
  /// proofs fail.
  fileprivate func reach(_ count: Int) async {
    let deadline = ContinuousClock.now + .seconds(10)
    while self.count < count, ContinuousClock.now < deadline {
      // Asleep, so that the processor is free for what is measured.
      try? await Task.sleep(for: .microseconds(50))
    }
  }
}

extension Shape {
  /// So many threads share the sending of the events.
  static func sending(threads: Int) -> Shape { sending(AggregatorCounter.self, threads: threads) }

  /// The same by hand.
  static func sendingByHand(threads: Int) -> Shape { sending(HandWrittenCounter.self, threads: threads) }

  /// A thread sends while another one reads the state again and again, with a pause between two reads.
  static func sendingBesideReader(each pause: Duration = .zero) -> Shape {
    sending(AggregatorCounter.self, threads: 1, besideReaderEach: pause)
  }

  /// The same by hand, without a pause.
  static let sendingBesideReaderByHand = sending(HandWrittenCounter.self, threads: 1, besideReaderEach: .zero)

  private static func sending<Made: Counter>(
    _: Made.Type,
    threads: Int,
    besideReaderEach pause: Duration? = nil
  ) -> Shape {
    Shape(events: 200_000) { events in
      let tally = Tally()
      let counter = Made(tally)
      return Run {
        Threads.run(count: threads + (pause == nil ? 0 : 1)) { thread in
          if let pause, thread == threads {
            while tally.count < events {
              _ = counter.state
              if pause > .zero { spin(for: pause) }
            }
          } else {
            for event in stride(from: thread, to: events, by: threads) { counter.send(event) }
          }
        }
        await tally.reach(events)
      } proofs: {
        [
          Proof("deliveries", tally.count, is: events),
          Proof("folded events", counter.state.count, is: events),
          Proof("sum of the events", counter.state.sum, is: events * (events - 1) / 2),
        ]
      }
    }
  }
}

/// Keeps the processor busy.
func spin(for duration: Duration) {
  let end = ContinuousClock.now + duration
  while ContinuousClock.now < end {}
}
