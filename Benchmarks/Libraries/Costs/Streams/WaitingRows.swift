import CostRows
import Streams

/// What is sent during a delivery waits in the line.
let waitingRows: [CostRow] = [
  CostRow(
    "subject.reentrant",
    "Subject.send from inside its own callback, per value",
    should: 100,
    peer: Peer("OpenCombine", 1_528),
    note: "to the line and back: the lock that other threads share is taken twice"
  ) { _ in
    let subject = Subject<Int, Never>()
    let tally = Tally()
    let token = subject.subscribe { value in
      tally.note()
      if value > 0 { subject.send(value - 1) }
    }
    return { count in
      tally.count = 0
      subject.send(count - 1)
      precondition(tally.count == count)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "subject.waiting",
    "one Subject.send whose callback sends so many, the cost of all",
    should: 160,
    peer: Peer("OpenCombine", 2 * 1_528),
    sizes: [1, 16, 256, 4_096],
    of: "values",
    note: "O(values), 370 for each, and to the line and back for the first; beyond 256 memory is taken and given back"
  ) { size in waiting(size, in: Subject()) },
  CostRow(
    "subject.waiting.newest",
    "the same with Subject(buffering: .newest(16))",
    should: 200,
    sizes: [1, 16, 256],
    of: "values",
    note: "O(values), and to the line and back for each, because the bound counts all that waits"
  ) { size in waiting(size, in: Subject(buffering: .newest(16)), atMost: 16) },
  CostRow(
    "subject.waiting.oldest",
    "the same with Subject(buffering: .oldest(16))",
    should: 200,
    sizes: [1, 16, 256],
    of: "values",
    note: "O(values), and to the line and back for each, because the bound counts all that waits"
  ) { size in waiting(size, in: Subject(buffering: .oldest(16)), atMost: 16) },
  CostRow(
    "subject.waiting.jobs",
    "Subject(buffering: .newest(16)).send to a full line in which subscriptions wait as well",
    should: 200,
    count: 4_096,
    sizes: [16, 64, 256],
    of: "waiting subscriptions"
  ) { size in
    let subject = Subject<Int, Never>(buffering: .newest(16))
    HeldDelivery.begin(in: subject)
    let tokens = (0..<size).map { _ in subject.subscribe { _ in } }
    for token in tokens { token.detach() }
    for value in 0..<16 { subject.send(value) }
    return { count in
      let dropped = subject.droppedCount
      for value in 0..<count { subject.send(value) }
      precondition(subject.pendingCount == 16 + size && subject.droppedCount == dropped + count)
    }
  },
  CostRow("subject.waiting.packet", "Subject.send(contentsOf:) of 16 from inside a callback, per value", should: 200) {
    _ in
    let subject = Subject<Int, Never>()
    let tally = Tally()
    let packet = Array(1...16)
    let token = subject.subscribe { value in
      tally.note()
      if value == 16, tally.count < tally.goal { subject.send(contentsOf: packet) }
    }
    return { count in
      tally.goal = count
      tally.count = 0
      subject.send(contentsOf: packet)
      precondition(tally.count >= count)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "subject.waiting.subscribe",
    "Subject.send behind a subscription that is being made, per value",
    should: 250
  ) { _ in
    let subject = Subject<Int, Never>(initial: 0)
    let tally = Tally()
    return { count in
      tally.count = 0
      // The initial value is delivered while the subscription is being made.
      let token = subject.subscribe { value in
        tally.note()
        if value < count { subject.send(value + 1) }
      }
      precondition(tally.count == count + 1)
      token.cancel()
      subject.send(0)
    }
  },
  CostRow("subject.pendingCount.read", "Subject.pendingCount, read", should: 60) { _ in
    let subject = Subject<Int, Never>()
    let sink = Sink()
    let token = subject.subscribe { if $0 == 0 { subject.send(1) } }
    subject.send(0)
    return { count in
      for _ in 0..<count { sink.see(subject.pendingCount) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow("subject.droppedCount.read", "Subject.droppedCount, read", should: 60) { _ in
    let subject = Subject<Int, Never>(buffering: .newest(1))
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(subject.droppedCount) }
    }
  },
]

/// Sends one value, whose delivery sends so many.
private func waiting(_ size: Int, in subject: Subject<Int, Never>, atMost limit: Int = .max) -> (Int) -> Void {
  let tally = Tally()
  let token = subject.subscribe { value in
    tally.note()
    if value == 0 { for next in 1...size { subject.send(next) } }
  }
  return { count in
    tally.count = 0
    for _ in 0..<count { subject.send(0) }
    precondition(tally.count == count * (1 + min(size, limit)))
    withExtendedLifetime(token) {}
  }
}
