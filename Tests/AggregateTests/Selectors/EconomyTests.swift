import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("What selectors do not do again")
struct SelectorEconomyTests {
  @Test("A closure that was appended does not run when what it reads from has not changed")
  func appendedClosure() {
    let calls = Counter()
    let aggregator = Aggregator(initial: Kinds())
    let length = StateSelector(\Kinds.inner).appending { inner -> Int in
      calls.increment()
      return inner.title.count
    }
    let recorder = Recorder(aggregator.select(length).observable)
    let before = calls.value
    for _ in 0..<5 { aggregator.touch() }
    #expect(calls.value == before)
    aggregator.edit { $0.inner.title = "ab" }
    #expect(calls.value == before + 1)
    #expect(recorder.values == [0, 2])
  }

  @Test("SEL-07: a combined selection derives once for all subscribers, for each change of an input")
  func combinedCurrent() {
    let derivations = Counter()
    let aggregator = Aggregator(initial: Kinds())
    let combined = StateSelector(combining: StateSelector(\Kinds.number), StateSelector(\Kinds.inner.title)) {
      derivations.increment()
      return $1 + "\($0)"
    }
    let selection = aggregator.select(combined)
    let token = selection.subscribe { _ in }
    let second = selection.subscribe { _ in }
    #expect(derivations.value == 1)
    aggregator.edit { $0.number = 1 }
    aggregator.touch()
    #expect(derivations.value == 2)
    for read in 1...5 {
      #expect(selection.current == "1")
      #expect(derivations.value == 2 + read)
    }
    token.cancel()
    second.cancel()
    aggregator.edit { $0.number = 2 }
    #expect(selection.current == "2")
    #expect(derivations.value == 8)
  }

  @Test("SEL-07: each closure of a chain of two runs once for a change of what it reads, for two subscribers")
  func chains() {
    let (sums, signs) = (Counter(), Counter())
    let sum = StateSelector(combining: StateSelector(\Kinds.number), StateSelector(\Kinds.inner.size)) {
      sums.increment()
      return $0 + $1
    }
    let isLarge: @Sendable (Int) -> Bool = {
      signs.increment()
      return $0 > 2
    }
    let chains: [(Aggregator<Kinds>) -> Selection<Bool>] = [
      { $0.select(StateSelector(combining: sum, derive: isLarge)) },
      { $0.select(sum.appending(isLarge)) },
      { $0.select(sum).select(isLarge) },
    ]
    for (index, chain) in chains.enumerated() {
      let aggregator = Aggregator(initial: Kinds())
      let selection = chain(aggregator)
      let before = (sums.value, signs.value)
      let first = Recorder(selection.observable)
      #expect(sums.value - before.0 == 1)
      // A debug build runs the closure of a selection twice, to find those that are not pure.
      #expect(signs.value - before.1 <= 2)
      let second = Recorder(selection.observable)
      // What lies below another selection is read for a newcomer, as `current` is.
      #expect(sums.value - before.0 == (index == 2 ? 2 : 1))
      let subscribed = (sums.value, signs.value)
      aggregator.edit { $0.number = 1 }
      aggregator.touch()
      aggregator.edit { $0.inner.size = 2 }
      #expect(sums.value - subscribed.0 == 2)
      #expect(signs.value - subscribed.1 == 2)
      for recorder in [first, second] { #expect(recorder.values == [false, true]) }
    }
  }

  @Test("A state that can throw reads the state before the event in `apply`, also while another thread copies")
  func readInsideApply() async {
    let aggregator = Aggregator(initial: GuardedScript())
    let reads = Log<Int>()
    let count = rounds(20_000)
    let isDone = Flag()
    await Threads.run(
      {
        for value in 1...count {
          aggregator.send(
            GuardedScript.Step { state in
              reads.note(aggregator.snapshot.value)
              state.value = value
            }
          )
        }
        isDone.raise()
      },
      { while !isDone.isRaised { _ = aggregator.snapshot } }
    )
    #expect(reads.entries == Array(0..<count))
  }

  @Test("Sources may come as an array")
  func arrayOfSources() {
    let subjects = (0..<3).map { _ in Subject<Tally.Event, Never>() }
    let aggregator = Aggregator(initial: Tally())
    aggregator.replace(sources: subjects.map(\.observable))
    for subject in subjects { subject.send(.add(2)) }
    #expect(aggregator.snapshot.count == 6)
  }
}
