import Aggregate
import Counting
import Streams

/// Events of an aggregator.
let aggregateRows: [CountedRow] = [
  CountedRow("agg.send") {
    let pairs = Pairs(initial: Pair())
    return { count in
      for number in 0..<count { pairs.send(.a(number)) }
      precondition(pairs.snapshot.a == count - 1)
    }
  },
  CountedRow("agg.refusing") {
    let forms = Aggregator(initial: Form())
    return { count in
      for number in 0..<count { forms.send(.a(number)) }
      precondition(forms.snapshot.a == count - 1)
    }
  },
  CountedRow("agg.packet") {
    let pairs = Pairs(initial: Pair())
    let packet = (0..<16).map { Pair.Event.a($0) }
    return { count in
      for _ in 0..<count { pairs.send(contentsOf: packet) }
      precondition(pairs.snapshot.a == 15)
    }
  },
  // Each event is sent by the subscriber of the one before, and waits.
  CountedRow("agg.waiting") {
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let token = pairs.select(\.a).subscribe { [unowned pairs] number in
      sink.see(1)
      if number > 0 { pairs.send(.a(number - 1)) }
    }
    return { count in
      let before = sink.sum
      pairs.send(.a(count))
      precondition(sink.sum == before + count + 1)
      withExtendedLifetime(token) {}
    }
  },
  CountedRow("agg.pipeline") {
    let subjects = [Subject<Int, Never>(), Subject<Int, Never>()]
    let pairs = Pairs(initial: Pair(), sources: subjects[0].map(Pair.Event.a), subjects[1].map(Pair.Event.b))
    let sink = Sink()
    let tokens = [
      pairs.select(\.a).subscribe { _ in sink.see(1) },
      pairs.select(\.b).subscribe { _ in sink.see(1) },
      pairs.select(\.c).subscribe { _ in sink.see(1) },
    ]
    let (first, second) = (subjects[0], subjects[1])
    return { count in
      let before = sink.sum
      first.send(-1)
      second.send(-1)
      for number in 1...count { if number & 1 == 0 { first.send(number) } else { second.send(number) } }
      precondition(sink.sum >= before + count)
      withExtendedLifetime((tokens, pairs)) {}
    }
  },
  watched("agg.states") { pairs, sink in pairs.states.subscribe { _ in sink.see(1) } },
  watched("agg.transitions") { pairs, sink in pairs.transitions(of: \.a).subscribe { _ in sink.see(1) } },
  CountedRow("agg.source") {
    let subject = Subject<Int, Never>()
    let pairs = Pairs(initial: Pair(), sources: subject.map(Pair.Event.a))
    return { count in
      for number in 0..<count { subject.send(number) }
      precondition(pairs.snapshot.a == count - 1)
    }
  },
  .together("agg.submit") {
    let pairs = Pairs(initial: Pair())
    return { count in
      for number in 0..<count {
        let fate = await pairs.submit(.a(number))
        precondition(fate == .folded)
      }
    }
  },
  CountedRow("agg.make", count: 64) {
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(Pairs(initial: Pair())) }
      precondition(sink.sum >= count)
    }
  },
]

/// Parts of a state, each of which has a subscriber.
let selectionRows: [CountedRow] = [
  watched("select") { pairs, sink in pairs.select(\.a).subscribe { _ in sink.see(1) } },
  watched("select.combining") { pairs, sink in
    let selector = StateSelector(combining: StateSelector(\Pair.a), StateSelector(\Pair.b)) { $0 &+ $1 }
    return pairs.select(selector).subscribe { _ in sink.see(1) }
  },
  CountedRow("select.64unchanged", count: 2_048) {
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let tokens = (0..<64).map { _ in pairs.select { $0.b }.subscribe { _ in sink.see(1) } }
    return { count in
      for number in 0..<count { pairs.send(.a(number)) }
      precondition(sink.sum == 64)
      withExtendedLifetime(tokens) {}
    }
  },
  CountedRow("select.subscribe", count: 512) {
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let selection = pairs.select(\.a)
    let other = selection.subscribe { _ in }
    return { count in
      let before = sink.sum
      for _ in 0..<count { selection.subscribe { _ in sink.see(1) }.cancel() }
      precondition(sink.sum == before + count)
      withExtendedLifetime((other, pairs)) {}
    }
  },
  CountedRow("scope.select") {
    let whole = Aggregator(initial: Whole())
    let scope = whole.scope(\.part, sending: { (number: Int) in number })
    let sink = Sink()
    let token = scope.select(\.x).subscribe { _ in sink.see(1) }
    return { count in
      let before = sink.sum
      scope.send(-1)
      for number in 0..<count { scope.send(number) }
      precondition(sink.sum >= before + count)
      withExtendedLifetime((token, whole)) {}
    }
  },
]

/// Reads of the present state.
let readRows: [CountedRow] = [
  CountedRow("snapshot") {
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(pairs.snapshot.a &+ 1) }
      precondition(sink.sum >= count)
    }
  },
  CountedRow("select.current") {
    let forms = Aggregator(initial: Form())
    let selection = forms.select(\.a)
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(selection.current &+ 1) }
      precondition(sink.sum >= count)
      withExtendedLifetime(forms) {}
    }
  },
]

/// Sends numbers to an aggregator with a subscriber that sees each of them.
private func watched(_ name: String, _ watch: @escaping @Sendable (Pairs, Sink) -> Subscription) -> CountedRow {
  CountedRow(name, count: 512) {
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let token = watch(pairs, sink)
    return { count in
      pairs.send(.a(-1))
      let before = sink.sum
      for number in 0..<count { pairs.send(.a(number)) }
      precondition(sink.sum == before + count)
      withExtendedLifetime(token) {}
    }
  }
}
