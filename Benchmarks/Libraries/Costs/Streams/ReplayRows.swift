import CostRows
import Streams

/// Subjects that keep their newest values.
let replayRows: [CostRow] = [
  CostRow("subject.initial", "Subject(initial:).send", should: 120, peer: Peer("OpenCombine", 1_681)) { _ in
    let subject = Subject<Int, Never>(initial: 0)
    let sink = Sink()
    let token = subject.subscribe { sink.see($0) }
    return { count in
      for value in 0..<count { subject.send(value) }
      precondition(subject.latest == count - 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "subject.replaying",
    "Subject(replaying:).send",
    should: 120,
    peer: Peer("RxSwift", 5_099),
    sizes: [1, 16, 256],
    of: "kept values"
  ) { size in
    let subject = Subject<Int, Never>(replaying: size)
    let sink = Sink()
    let token = subject.subscribe { sink.see($0) }
    for value in 0..<size { subject.send(value) }
    return { count in
      for value in 0..<min(count, 256) { subject.send(value) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "subject.replaying.subscribe",
    "subscribe to Subject(replaying:) and cancel",
    should: 1_500,
    sizes: [1, 16, 256],
    of: "replayed values",
    note: "O(replayed values), which are copied before they are delivered"
  ) { size in
    let subject = Subject<Int, Never>(replaying: size)
    let tally = Tally()
    for value in 0..<size { subject.send(value) }
    return { count in
      tally.count = 0
      for _ in 0..<count { subject.subscribe { _ in tally.note() }.cancel() }
      precondition(tally.count == count * size)
    }
  },
  CostRow("subject.latest.read", "Subject.latest, read", should: 60, peer: Peer("ReactiveSwift", 216)) { _ in
    let subject = Subject<Int, Never>(initial: 1)
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(subject.latest ?? 0) }
    }
  },
]
