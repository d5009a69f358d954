import Aggregate
import CostRows
import Streams

/// Sources with names, and what is known of them.
let namedSourceRows: [CostRow] = [
  CostRow("source.named", "an event from a named source, virtual time", should: 300) { _ in
    let subject = Subject<Pair.Event, Never>()
    let pairs = Pairs(initial: Pair(), sources: subject.named("source", on: StoppedTime()))
    return send(subject, pairs)
  },
  CostRow("source.named.continuous", "an event from a named source, system clock", should: 400) { _ in
    let subject = Subject<Pair.Event, Never>()
    let pairs = Pairs(initial: Pair(), sources: subject.named("source"))
    return send(subject, pairs)
  },
  CostRow(
    "source.health.read",
    "health(of:)",
    should: 150,
    count: 512,
    sizes: [1, 4, 16],
    of: "named sources",
    note: "the hash of the name takes 280, and the copy of the health, with two references, 250"
  ) {
    size in
    let pairs = named(size)
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(pairs.health(of: "source 0")?.attempts ?? 0) }
      precondition(sink.sum >= count)
    }
  },
  CostRow(
    "source.sources.read",
    "sources",
    should: 300,
    count: 512,
    sizes: [1, 4, 16],
    of: "named sources",
    note: "O(named sources): the health of each is copied, with its name, into an array"
  ) { size in
    let pairs = named(size)
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(pairs.sources.count) }
      precondition(sink.sum >= count * size)
    }
  },
  CostRow(
    "source.named.add.remove",
    "add and remove a source with a name",
    should: 4_000,
    count: 512,
    sizes: [1, 4, 16],
    of: "other named sources",
    note: "as without a name, and the monitor, its record and three looks at a dictionary of names"
  ) { size in
    let pairs = named(size)
    let subject = Subject<Pair.Event, Never>()
    return { count in
      for _ in 0..<count { pairs.remove(source: pairs.add(subject.observable, as: "newcomer")) }
      precondition(subject.observerCount == 0 && pairs.health(of: "newcomer") == nil)
    }
  },
  CostRow(
    "source.healthChanges",
    "a change of the health of one source, one subscriber",
    should: 6_000,
    count: 512,
    sizes: [1, 4, 16],
    of: "named sources",
    note: "adds and removes a source with a name, which are two changes"
  ) { size in
    let pairs = named(size)
    let subject = Subject<Pair.Event, Never>()
    let sink = Sink()
    let token = pairs.healthChanges.subscribe { _ in sink.see(1) }
    return { count in
      let before = sink.sum
      for _ in 0..<count { pairs.remove(source: pairs.add(subject.observable, as: "newcomer")) }
      precondition(sink.sum == before + 2 * count)
      withExtendedLifetime(token) {}
    }
  },
]

/// An aggregator with so many named sources.
private func named(_ size: Int) -> Pairs {
  let subject = Subject<Pair.Event, Never>()
  let pairs = Pairs(initial: Pair())
  for number in 0..<size { pairs.add(subject.observable, as: "source \(number)") }
  precondition(pairs.sources.count == size)
  withExtendedLifetime(subject) { kept.subjects.append(subject) }
  return pairs
}

/// Keeps subjects open as long as the program runs. Rows are made on one thread.
private final class Kept: @unchecked Sendable {
  var subjects: [Subject<Pair.Event, Never>] = []
}

private let kept = Kept()

/// A time that stands still, so that what is counted is not the clock.
private struct StoppedTime: Scheduler {
  var now: Duration { .zero }

  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription { Subscription {} }
}
