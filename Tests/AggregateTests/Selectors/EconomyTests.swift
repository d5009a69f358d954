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

  @Test("`current` of a combined selection derives only if an input has changed, whether it is subscribed to or not")
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
    for _ in 0..<5 { #expect(selection.current == "0") }
    #expect(derivations.value == 1)
    aggregator.edit { $0.number = 1 }
    for _ in 0..<5 { #expect(selection.current == "1") }
    #expect(derivations.value == 2)
    token.cancel()
    second.cancel()
    for _ in 0..<5 { #expect(selection.current == "1") }
    #expect(derivations.value == 2)
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
