import Aggregate
import CostRows
import Streams

/// Events that come from sources.
let sourceRows: [CostRow] = [
  CostRow("source", "an event from a source", should: 120, sizes: [1, 16, 256], of: "sources") { size in
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
  CostRow("eventSource.jump", "EventSource.jump", should: 4_000, count: 64) { _ in
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
    count: 64,
    sizes: [1, 16, 256],
    of: "other sources"
  ) { size in
    let subjects = (0..<size).map { _ in Subject<Pair.Event, Never>() }
    let pairs = Pairs(initial: Pair(), sources: subjects.map(\.observable))
    let subject = Subject<Pair.Event, Never>()
    return { count in
      for _ in 0..<count {
        let id = pairs.add(subject.observable)
        precondition(subject.observerCount == 1)
        pairs.remove(id)
      }
      precondition(subject.observerCount == 0)
    }
  },
  CostRow("source.replace", "replace(sources:) of one source", should: 3_000, count: 64) { _ in
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
