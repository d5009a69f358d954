import Aggregate
import RASPTesting
import Streams

/// A count, and its field to observe.
private struct CounterState: AggregateState {
  var count = 0
  var sum = 0

  mutating func apply(_ value: Int) {
    count += 1
    sum &+= value
  }
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
  static func sendingThreads(_ threads: Int) -> Shape {
    counting("sending-threads-\(threads)", threads) { events in
      let aggregator = Aggregator(initial: CounterState())
      return (aggregator, { thread in part(of: events, thread, threads) { aggregator.send($0) } })
    }
  }

  /// As many subjects as threads, each sent to by a thread of its own, in front of one aggregator.
  static func subjectsWithThreads(_ threads: Int) -> Shape {
    counting("subjects-threads-\(threads)", threads) { events in
      let subjects = (0..<threads).map { _ in Subject<Int, Never>() }
      let aggregator = Aggregator(initial: CounterState(), sources: subjects.map(\.observable))
      return (
        aggregator,
        { thread in
          let subject = subjects[thread]
          part(of: events, thread, threads) { subject.send($0) }
        }
      )
    }
  }

  /// Threads that send, and an aggregator that counts their events.
  ///
  /// - Parameter make: makes the aggregator, and the work of one thread.
  private static func counting(
    _ name: String,
    _ threads: Int,
    _ make: @escaping @Sendable (_ events: Int) -> (Aggregator<CounterState>, @Sendable (_ thread: Int) -> Void)
  ) -> Shape {
    Shape(name, events: 200_000) { events in
      let tally = Tally()
      let (aggregator, work) = make(events)
      let subscription = aggregator.select(\.count).subscribe { _ in tally.increment() }
      return Run {
        Threads.run(count: threads) { work($0) }
        await tally.reach(events + 1)
      } proofs: {
        [
          Proof("deliveries", tally.count, is: events + 1),
          Proof("folded events", aggregator.snapshot.count, is: events),
          Proof("sum of the events", aggregator.snapshot.sum, is: events * (events - 1) / 2),
          Proof("subscriptions", subscription.isActive ? 1 : 0, is: 1),
        ]
      }
    }
  }

  /// Sends the events of one thread. Inlined, so that the call of `send` is known for each event.
  @inline(__always)
  private static func part(of events: Int, _ thread: Int, _ threads: Int, _ send: (Int) -> Bool) {
    var event = thread
    while event < events {
      _ = send(event)
      event += threads
    }
  }
}
