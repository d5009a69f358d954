import Aggregate
import CostRows
import Streams

/// Events that come from sources.
let sourceRows: [CostRow] = [
  CostRow("source", "an event from a source", should: 120, count: 512, sizes: [1, 4, 16], of: "sources") { size in
    let subjects = (0..<size).map { _ in Subject<Pair.Event, Never>() }
    let pairs = Pairs(initial: Pair(), sources: subjects.map(\.observable))
    return send(subjects[0], pairs)
  },
  CostRow("source.select", "an event from a source, one selection", should: 260) { _ in
    let subject = Subject<Pair.Event, Never>()
    let pairs = Pairs(initial: Pair(), sources: subject.observable)
    let sink = Sink()
    let token = pairs.select(\.a).subscribe { sink.see($0) }
    let run = send(subject, pairs)
    return { count in
      run(count)
      precondition(sink.sum > 0)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("source.map.select", "an event from subject.map, one selection (state may refuse)", should: 450) { _ in
    let subject = Subject<Int, Never>()
    let forms = Forms(initial: Form(), sources: subject.map { Form.Event.a($0) })
    let sink = Sink()
    let token = forms.select(\.a).subscribe { sink.see($0) }
    return { count in
      for number in 1...count { subject.send(number) }
      precondition(sink.sum > 0)
      withExtendedLifetime((token, forms)) {}
    }
  },
  CostRow("source.asAggregateEvents", "an event from a source that is given as any AggregateEvent", should: 250) { _ in
    let subject = Subject<Opened, Never>()
    let log = Aggregator(initial: Openings(), sources: subject.observable.asAggregateEvents())
    return { count in
      let before = log.snapshot.count
      for number in 0..<count { subject.send(Opened(number: number)) }
      precondition(log.snapshot.count == before + count)
    }
  },
  CostRow("eventSource", "an event through an EventSource", should: 190) { _ in
    let subject = Subject<Pair.Event, Never>()
    let source = EventSource<Pair.Event, Never>(following: subject.observable)
    let pairs = Pairs(initial: Pair(), sources: source.events)
    let run = send(subject, pairs)
    return { count in
      run(count)
      withExtendedLifetime(source) {}
    }
  },
  CostRow(
    "eventSource.jump",
    "EventSource.jump",
    should: 4_000,
    count: 64,
    note: "subscribes to the next stream and cancels the one before"
  ) { _ in
    let subjects = [Subject<Pair.Event, Never>(), Subject<Pair.Event, Never>()]
    let source = EventSource<Pair.Event, Never>(following: subjects[0].observable)
    let pairs = Pairs(initial: Pair(), sources: source.events)
    return { count in
      for number in 1...count { source.jump(to: subjects[number & 1].observable) }
      precondition(subjects[0].observerCount + subjects[1].observerCount == 1)
      withExtendedLifetime(pairs) {}
    }
  },
  CostRow(
    "source.add.remove",
    "add and remove a source",
    should: 2_000,
    count: 512,
    sizes: [1, 4, 16],
    of: "other sources",
    note: "subscribes to the source, keeps it under its identity, and binds the scope in which its parts may have names"
  ) { size in
    let subjects = (0..<size).map { _ in Subject<Pair.Event, Never>() }
    let pairs = Pairs(initial: Pair(), sources: subjects.map(\.observable))
    let subject = Subject<Pair.Event, Never>()
    return { count in
      for _ in 0..<count {
        let id = pairs.add(subject.observable)
        precondition(subject.observerCount == 1)
        pairs.remove(source: id)
      }
      precondition(subject.observerCount == 0)
    }
  },
  CostRow(
    "source.replace",
    "replace(sources:) of one source",
    should: 3_000,
    count: 64,
    note: "as to add and remove a source, and two dictionaries of identities"
  ) { _ in
    let subjects = [Subject<Pair.Event, Never>(), Subject<Pair.Event, Never>()]
    let pairs = Pairs(initial: Pair(), sources: subjects[0].observable)
    return { count in
      for number in 1...count { pairs.replace(sources: subjects[number & 1].observable) }
      precondition(subjects[0].observerCount + subjects[1].observerCount == 1)
    }
  },
]

/// Sends numbers by way of a subject.
func send(_ subject: Subject<Pair.Event, Never>, _ pairs: Pairs) -> (Int) -> Void {
  { count in
    for number in 0..<count { subject.send(.a(number)) }
    precondition(pairs.snapshot.a == count - 1)
  }
}

/// An event of many.
private struct Opened: AggregateEvent {
  var number: Int
}

/// A state that picks its events out of many.
private struct Openings: AggregateState {
  var count = 0

  mutating func apply(_ event: any AggregateEvent) {
    if event is Opened { count += 1 }
  }
}
