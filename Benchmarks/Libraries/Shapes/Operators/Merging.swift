import Streams

extension Shape {
  /// Two subjects, merged, with one observer; they send by turns.
  static let merge = Shape("merge", events: 200_000) { events in
    let tally = Tally()
    let left = Subject<Int, Never>()
    let right = Subject<Int, Never>()
    let subscription = left.merge(with: right.observable).subscribe { tally.increment(by: $0) }
    return Run {
      for event in 1...events { sendValue(event, to: event & 1 == 0 ? left : right) }
    } proofs: {
      [
        Proof("sum of the values", tally.count, is: events * (events + 1) / 2),
        Proof("subscriptions", subscription.isActive ? 1 : 0, is: 1),
      ]
    }
  }

  /// Two subjects, each with the observer.
  static let unmerged = Shape("unmerged", events: 200_000) { events in
    let tally = Tally()
    let left = Subject<Int, Never>()
    let right = Subject<Int, Never>()
    let subscriptions = [left, right].map { subject in
      subject.subscribe { tally.increment(by: $0) }
    }
    return Run {
      for event in 1...events { sendValue(event, to: event & 1 == 0 ? left : right) }
    } proofs: {
      [
        Proof("sum of the values", tally.count, is: events * (events + 1) / 2),
        Proof("subscriptions", subscriptions.count { $0.isActive }, is: 2),
      ]
    }
  }
}

@inline(never)
private func sendValue(_ value: Int, to subject: Subject<Int, Never>) {
  subject.send(value)
}
