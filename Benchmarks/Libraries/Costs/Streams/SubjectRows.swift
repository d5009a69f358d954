import CostRows
import Streams

/// A value goes through a subject at once.
let subjectRows: [CostRow] = [
  CostRow("subject.0subs", "Subject.send, no subscriber", should: 30, peer: Peer("OpenCombine", 301)) { _ in
    let subject = Subject<Int, Never>()
    return { count in
      for value in 0..<count { subject.send(value) }
    }
  },
  CostRow("subject.send", "Subject.send, one subscriber", should: 60, peer: Peer("OpenCombine", 1_528)) { _ in
    sending(to: Subject())
  },
  CostRow(
    "subject",
    "Subject.send",
    should: 60,
    peer: Peer("OpenCombine", 1_527),
    sizes: [1, 4, 16, 64],
    of: "subscribers",
    note: "O(subscribers)"
  ) { size in
    let subject = Subject<Int, Never>()
    let sink = Sink()
    let tokens = (0..<size).map { _ in subject.subscribe { sink.see($0) } }
    return { count in
      for value in 0..<count { subject.send(value) }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "subject.gone",
    "Subject.send after so many subscribers have left",
    should: 60,
    count: 16_384,
    sizes: [16, 256, 4_096],
    of: "subscribers that left"
  ) { size in
    let subject = Subject<Int, Never>()
    let repeated = sending(to: subject)
    for token in (0..<size).map({ _ in subject.subscribe { _ in } }) { token.cancel() }
    precondition(subject.observerCount == 1)
    return repeated
  },
  CostRow("subject.newest", "Subject(buffering: .newest(100)).send", should: 60) { _ in
    sending(to: Subject(buffering: .newest(100)))
  },
  CostRow("subject.oldest", "Subject(buffering: .oldest(100)).send", should: 60) { _ in
    sending(to: Subject(buffering: .oldest(100)))
  },
  CostRow("subject.string", "Subject.send of a String", should: 80) { _ in
    let subject = Subject<String, Never>()
    let sink = Sink()
    let token = subject.subscribe { sink.see($0.utf8.count) }
    let text = "a text that is too long to be kept without memory"
    return { count in
      for _ in 0..<count { subject.send(text) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow("subject.array", "Subject.send of an array", should: 80) { _ in
    let subject = Subject<[Int], Never>()
    let sink = Sink()
    let token = subject.subscribe { sink.see($0.count) }
    let array = [1, 2, 3]
    return { count in
      for _ in 0..<count { subject.send(array) }
      withExtendedLifetime(token) {}
    }
  },
]

/// Sends numbers to a subject with one subscriber.
private func sending(to subject: Subject<Int, Never>) -> (Int) -> Void {
  let sink = Sink()
  let token = subject.subscribe { sink.see($0) }
  return { count in
    for value in 0..<count { subject.send(value) }
    withExtendedLifetime(token) {}
  }
}

/// Several values are sent with nothing between them.
let packetRows: [CostRow] = [
  CostRow(
    "subject.packet",
    "Subject.send(contentsOf:), the cost of a packet",
    should: 100,
    sizes: [1, 16, 256],
    of: "values",
    note: "O(values)"
  ) { size in
    let subject = Subject<Int, Never>()
    let sink = Sink()
    let token = subject.subscribe { sink.see($0) }
    let packet = Array(0..<size)
    return { count in
      for _ in 0..<count { subject.send(contentsOf: packet) }
      withExtendedLifetime(token) {}
    }
  }
]
