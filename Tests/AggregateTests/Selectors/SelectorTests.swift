import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("State selectors")
struct SelectorTests {
  @Test("A selector can be called on a state, outside of any aggregator")
  func called() {
    let state = Kinds(number: 4, inner: Kinds.Inner(title: "abc", size: 1))

    #expect(StateSelector(\Kinds.number)(state) == 4)
    #expect(StateSelector { (state: Kinds) in state.number + 1 }(state) == 5)
    #expect(StateSelector(\Kinds.inner).appending(\.title)(state) == "abc")
    #expect(StateSelector(\Kinds.inner).appending { $0.title.count }(state) == 3)
    let sum = StateSelector(combining: StateSelector(\Kinds.number), StateSelector(\Kinds.inner.size)) {
      $0 + $1
    }
    #expect(sum(state) == 5)
  }

  @Test("Appending reads in the field, by key path, closure or selector, and compares as the inner one does")
  func appending() {
    let aggregator = Aggregator(initial: Kinds())
    let inner = StateSelector(\Kinds.inner)
    let coarse = StateSelector(\Kinds.Inner.size, by: { $0 / 10 == $1 / 10 })
    let title = Recorder(aggregator.select(inner.appending(\.title)).observable)
    let letters = Recorder(aggregator.select(inner.appending { $0.title.count }).observable)
    let tens = Recorder(aggregator.select(inner.appending(coarse)).observable)

    aggregator.edit { $0.inner.title = "ab" }
    aggregator.edit { $0.inner.size = 5 }
    aggregator.edit { $0.inner = Kinds.Inner(title: "cd", size: 12) }

    #expect(title.values == ["", "ab", "cd"])
    #expect(letters.values == [0, 2])
    #expect(tens.values == [0, 12])
  }

  @Test("Appending the same to the same gives the same selector, which is evaluated once")
  func appendingIsShared() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Kinds())
    let length = StateSelector { (inner: Kinds.Inner) -> Int in
      evaluations.increment()
      return inner.title.count
    }
    let one = Recorder(aggregator.select(StateSelector(\Kinds.inner).appending(length)).observable)
    let two = Recorder(aggregator.select(StateSelector(\Kinds.inner).appending(length)).observable)
    let before = evaluations.value

    aggregator.edit { $0.inner.title = "ab" }

    #expect(evaluations.value - before == 1)
    #expect(one.values == [0, 2])
    #expect(two.values == [0, 2])
  }

  @Test("Combining derives when an input changed, and only then, from the first event on")
  func combining() {
    let derivations = Counter()
    let aggregator = Aggregator(initial: Kinds())
    let selector = StateSelector(
      combining: StateSelector(\Kinds.number),
      StateSelector(\Kinds.inner.title)
    ) { number, title -> String in
      derivations.increment()
      return title + "\(number)"
    }
    let derived = Recorder(aggregator.select(selector).observable)
    let before = derivations.value

    aggregator.touch()
    aggregator.touch()
    #expect(derivations.value == before)

    aggregator.edit { $0.number = 1 }
    aggregator.touch()
    aggregator.edit { $0.inner.title = "a" }
    aggregator.edit { $0.inner.size = 9 }

    #expect(derivations.value == before + 2)
    #expect(derived.values == ["0", "1", "a1"])
  }

  @Test("An input decides by its own comparison whether it has changed")
  func combiningWithComparison() {
    let derivations = Counter()
    let aggregator = Aggregator(initial: Kinds())
    let coarse = StateSelector(\Kinds.number, by: { abs($0 - $1) < 10 })
    let selector = StateSelector(combining: coarse) { number -> Int in
      derivations.increment()
      return number
    }
    let derived = Recorder(aggregator.select(selector).observable)
    let before = derivations.value

    for number in 1...25 { aggregator.edit { $0.number = number } }

    #expect(derived.values == [0, 10, 20])
    #expect(derivations.value - before == 2)
  }

  @Test("SEL-05: an input that stays NaN has not changed; one that cannot be compared always has")
  func combiningNaN() {
    let derivations = Counter()
    let aggregator = Aggregator(initial: Kinds(double: .nan))
    let double = StateSelector(combining: StateSelector(\Kinds.double)) { value -> String in
      derivations.increment()
      return "\(value)"
    }
    let opaque = StateSelector(combining: StateSelector(\Kinds.opaque)) { $0.number }
    let first = Recorder(aggregator.select(double).observable)
    let second = Recorder(aggregator.select(opaque).observable)
    let before = derivations.value

    aggregator.touch()
    aggregator.edit { $0.opaque.number = 1 }

    #expect(first.values == ["nan"])
    #expect(derivations.value == before)
    #expect(second.values == [0, 1])
  }

  @Test("A derived field is compared, too: a derivation that gives the same again is not reported")
  func derivedIsCompared() {
    let aggregator = Aggregator(initial: Kinds())
    let selector = StateSelector(
      combining: StateSelector(\Kinds.number),
      StateSelector(\Kinds.other)
    ) { $0 + $1 > 2 }
    let derived = Recorder(aggregator.select(selector).observable)

    for _ in 0..<5 { aggregator.touch() }

    #expect(derived.values == [false, true])
  }

  @Test("SEL-10: a combined selector remembers for each use in a tree by itself")
  func combiningInTwoUses() {
    let one = Aggregator(initial: Tally(count: 1))
    let two = Aggregator(initial: Tally(count: 10))
    let selector = StateSelector(combining: StateSelector(\Tally.count)) { $0 * 2 }
    let first = Recorder(one.select(selector).observable)
    let second = Recorder(two.select(selector).observable)
    #expect(selector(Tally(count: 50)) == 100)

    one.send(.add(1))
    two.send(.add(1))

    #expect(first.values == [2, 4])
    #expect(second.values == [20, 22])
    #expect(one.select(selector).current == 4)
  }

  @Test("Combined selectors can be combined, appended to and selected from")
  func nested() {
    let aggregator = Aggregator(initial: Kinds())
    let sum = StateSelector(combining: StateSelector(\Kinds.number), StateSelector(\Kinds.other)) { $0 + $1 }
    let text = StateSelector(combining: sum, StateSelector(\Kinds.inner.title)) { "\($1)\($0)" }
    let count = Recorder(aggregator.select(text.appending(\.count)).observable)
    let last = Recorder(aggregator.select(text).select(\.last).observable)

    aggregator.edit { $0.number = 9 }
    aggregator.touch()

    #expect(count.values == [1, 2])
    #expect(last.values == ["0", "9", "0"])
  }

  @Test("A combined selector reads each state by itself, also if a comparison calls its inputs equivalent")
  func combinedReadsArePure() {
    let near = StateSelector(\Tally.count, by: { abs($0 - $1) < 5 })
    let selector = StateSelector(combining: near) { $0 * 10 }
    let (first, second) = (Aggregator(initial: Tally(count: 1)), Aggregator(initial: Tally(count: 3)))
    #expect(selector(first.snapshot) == 10)
    #expect(selector(second.snapshot) == 30)
    let recorder = Recorder(second.select(selector).observable)
    #expect(recorder.values == [30])
    #expect(second.select(selector).current == 30)
    #expect(first.select(selector).current == 10)
  }
}
