import Counting
import Streams

/// A value goes through a subject, and subscribers come and leave.
let subjectRows: [CountedRow] = [
  CountedRow("subject.0subs") {
    let subject = Subject<Int, Never>()
    return { count in for value in 0..<count { subject.send(value) } }
  },
  sending("subject.send") { Subject() },
  sending("subject.16subs", to: 16) { Subject() },
  sending("subject.initial") { Subject(initial: 0) },
  // One value, whose delivery sends the others, which wait in the line.
  CountedRow("subject.waiting", count: 4_096) {
    let subject = Subject<Int, Never>()
    let sink = Sink()
    let token = subject.subscribe { value in
      sink.see(1)
      if value == 0 { for next in 1..<256 { subject.send(next) } }
    }
    return { count in
      let before = sink.sum
      for _ in 0..<count / 256 { subject.send(0) }
      precondition(sink.sum == before + count)
      withExtendedLifetime(token) {}
    }
  },
  CountedRow("subject.subscribe") {
    let subject = Subject<Int, Never>()
    let token = subject.subscribe { _ in }
    return { count in
      for _ in 0..<count { subject.subscribe { _ in }.cancel() }
      precondition(subject.observerCount == 1)
      withExtendedLifetime(token) {}
    }
  },
]

/// Sends numbers to a subject with so many subscribers.
private func sending(
  _ name: String,
  to size: Int = 1,
  _ make: @escaping @Sendable () -> Subject<Int, Never>
) -> CountedRow {
  CountedRow(name) {
    let subject = make()
    let sink = Sink()
    let tokens = (0..<size).map { _ in subject.subscribe { sink.see($0) } }
    return { count in
      let before = sink.sum
      for value in 0..<count { subject.send(value) }
      precondition(sink.sum == before + size * count * (count - 1) / 2)
      withExtendedLifetime(tokens) {}
    }
  }
}
