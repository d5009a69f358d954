import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Newcomers to a selection")
struct NewcomerTests {
  private func coarse(_ old: Double, _ new: Double) -> Bool { abs(old - new) < 10 }

  @Test("A newcomer gets what `current` says, also if a tolerance called it equal to what the others have")
  func tolerance() {
    let aggregator = Aggregator(initial: Kinds())
    let selection = aggregator.select(\.double, by: { abs($0 - $1) < 10 })
    let first = Recorder(selection.observable)
    aggregator.edit { $0.double = 4 }
    let second = Recorder(selection.observable)
    #expect(selection.current == 4)
    aggregator.edit { $0.double = 8 }
    let third = Recorder(selection.observable)
    aggregator.edit { $0.double = 12 }

    #expect(first.values == [0, 12], "no other subscriber is disturbed by a newcomer")
    #expect(second.values == [4, 12])
    #expect(third.values == [8, 12])
  }

  @Test("Also below a selection whose comparison is coarse")
  func belowTolerance() {
    let aggregator = Aggregator(initial: Kinds())
    let inner = aggregator.select(\.inner, by: { abs($0.size - $1.size) < 10 })
    let size = inner.select(\.size)
    let first = Recorder(size.observable)
    aggregator.edit { $0.inner = Kinds.Inner(title: "a", size: 4) }
    let second = Recorder(size.observable)
    let title = Recorder(inner.select(\.title).observable)
    let whole = Recorder(inner.observable)
    #expect(size.current == 4)
    aggregator.edit { $0.inner.size = 20 }

    #expect(first.values == [0, 20])
    #expect(second.values == [4, 20])
    #expect(title.values.first == "a", "a new selection below an old one")
    #expect(whole.values.map(\.size) == [4, 20], "an old selection without a subscriber")
  }

  @Test("Also if the comparison is an identity, and for one who comes during a round")
  func identity() {
    let aggregator = Aggregator(initial: Kinds())
    let selection = aggregator.select(\.inner, by: { $0.title == $1.title })
    let newcomer = Box<Recorder<Kinds.Inner, Never>>()
    let first = Recorder(selection.observable)
    let trigger = aggregator.select(\.other).subscribe { other in
      if other == 1 { newcomer.value = Recorder(selection.observable) }
    }
    aggregator.edit { $0.inner.size = 1 }
    aggregator.edit { $0.other = 1 }

    #expect(first.values.map(\.size) == [0])
    #expect(newcomer.value?.values.map(\.size) == [1])
    trigger.cancel()
  }

  @Test("The first subscriber costs one evaluation, as ever")
  func evaluatedOnce() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Kinds())
    let selector = StateSelector<Kinds, Kinds.Opaque>(
      { state in
        evaluations.increment()
        return state.opaque
      },
      by: nil
    )
    let token = aggregator.select(selector).select(\.number).subscribe { _ in }
    #expect(evaluations.value == 1)
    token.cancel()
  }
}
