import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Selections")
struct SelectionTests {
  @Test("SEL-01: a key path and the closure that reads the same select and skip alike")
  func keyPathAndClosure() {
    let aggregator = Aggregator(initial: Tally())
    let keyPath = Recorder(aggregator.select(\.count).observable)
    let closure = Recorder(aggregator.select { $0.count }.observable)
    let selector = Recorder(aggregator.select(StateSelector(\.count)).observable)

    for event in [.add(1), .rename("a"), .add(0), .add(2)] as [Tally.Event] { aggregator.send(event) }

    #expect(keyPath.values == [0, 1, 3])
    #expect(closure.values == [0, 1, 3])
    #expect(selector.values == [0, 1, 3])
  }

  @Test("SEL-02: a change elsewhere in the state does not wake a subscriber of an Equatable field")
  func changeElsewhere() {
    let aggregator = Aggregator(initial: Tally())
    let name = Recorder(aggregator.select(\.name).observable)

    for _ in 0..<10 { aggregator.send(.add(1)) }
    aggregator.send(.rename("a"))
    aggregator.send(.rename("a"))

    #expect(name.values == ["", "a"])
  }

  @Test("SEL-03: the current value is delivered once, before subscribe returns; late subscribers get theirs")
  func currentFirst() {
    let aggregator = Aggregator(initial: Tally())
    let count = aggregator.select(\.count)
    let first = Recorder(count.observable)
    #expect(first.values == [0])

    aggregator.send(.add(1))
    let second = Recorder(count.observable)
    #expect(second.values == [1])
    aggregator.send(.rename("a"))
    aggregator.send(.add(1))

    #expect(first.values == [0, 1, 2])
    #expect(second.values == [1, 2])
  }

  @Test("SEL-03: subscribed to after everyone had left, a selection gives the value of now")
  func returnAfterLeaving() {
    let aggregator = Aggregator(initial: Tally())
    let count = aggregator.select(\.count)
    let first = Recorder(count.observable)
    first.cancel()
    aggregator.send(.add(5))

    let second = Recorder(count.observable)
    aggregator.send(.nothing)

    #expect(first.values == [0])
    #expect(second.values == [5])
  }

  @Test("SEL-04: a field that cannot be compared is delivered at every event")
  func notComparable() {
    let aggregator = Aggregator(initial: Kinds())
    let opaque = Recorder(aggregator.select(\.opaque).observable)
    let reference = Recorder(aggregator.select(\.reference).observable)
    let pair = Recorder(aggregator.select { $0.pair }.observable)

    aggregator.touch()
    aggregator.touch()

    #expect(opaque.values.count == 3)
    #expect(reference.values.count == 3)
    #expect(pair.values.count == 3)
  }

  @Test("SEL-06: a comparison of one's own decides, and gets the old and the new field in that order")
  func ownComparison() {
    let aggregator = Aggregator(initial: Kinds())
    let compared = Log<[Int]>()
    let opaque = Recorder(
      aggregator.select(\.opaque) { old, new in
        // A debug build also compares a field with itself when it is subscribed to.
        if old.number != new.number { compared.note([old.number, new.number]) }
        return abs(old.number - new.number) < 3
      }.observable
    )

    for number in 1...7 { aggregator.edit { $0.opaque.number = number } }

    #expect(opaque.values.map(\.number) == [0, 3, 6])
    #expect(compared.entries == [[0, 1], [0, 2], [0, 3], [3, 4], [3, 5], [3, 6], [6, 7]])
  }

  @Test("SEL-06: the same goes for a closure, and for a selector that is kept")
  func ownComparisonOfClosure() {
    let aggregator = Aggregator(initial: Tally())
    let selector = StateSelector { (state: Tally) in
      state.count
    } by: { old, new in
      old / 10 == new / 10
    }
    let kept = Recorder(aggregator.select(selector).observable)
    let growing = Recorder(aggregator.select({ $0.count }, by: { old, new in new <= old }).observable)

    for amount in [4, -2, 9, 1, 8] { aggregator.send(.add(amount)) }

    #expect(kept.values == [0, 11, 20])
    #expect(growing.values == [0, 4, 11, 12, 20])
  }

  @Test(
    "SEL-08: a read that throws ends its own subscription, is not remembered, and is called again next time"
  )
  func throwingRead() {
    struct Unreadable: Error, Equatable {
      let count: Int
    }
    let aggregator = Aggregator(initial: Tally())
    let count = aggregator.select(\.count)
    let calls = Counter()
    let throwing = count.setFailureType(to: Unreadable.self)
      .map { count throws(Unreadable) -> String in
        calls.increment()
        if count == 2 { throw Unreadable(count: count) }
        return "\(count)"
      }
    let plain = Recorder(count.observable)
    let first = Recorder(throwing)

    for _ in 0..<3 { aggregator.send(.add(1)) }
    #expect(first.values == ["0", "1"])
    #expect(first.ends == [.failed(Unreadable(count: 2))])
    #expect(calls.value == 3)

    let second = Recorder(throwing)
    aggregator.send(.add(1))
    #expect(second.values == ["3", "4"])
    #expect(second.ends.isEmpty)
    #expect(calls.value == 5)
    #expect(plain.values == [0, 1, 2, 3, 4])
    #expect(plain.ends.isEmpty)
    #expect(aggregator.send(.add(1)))
  }

  @Test("SEL-10: two selections that differ in an argument do not get in each other's way")
  func differentArguments() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Journal())
    let multiples = { (divisor: Int) in
      aggregator.select { state -> [Int] in
        evaluations.increment()
        return state.entries.filter { $0.isMultiple(of: divisor) }
      }
    }
    let twos = Recorder(multiples(2).observable)
    let threes = Recorder(multiples(3).observable)
    let before = evaluations.value

    for event in 1...4 { aggregator.send(event) }

    #expect(twos.values == [[], [2], [2, 4]])
    #expect(threes.values == [[], [3]])
    #expect(evaluations.value - before == 8)
  }

  @Test("SEL-10: neither do key paths with arguments")
  func differentSubscripts() {
    let aggregator = Aggregator(initial: Kinds())
    let a = Recorder(aggregator.select(\.[name: "a"]).observable)
    let b = Recorder(aggregator.select(\.[name: "b"]).observable)

    aggregator.edit { $0.dictionary["a"] = 1 }
    aggregator.edit { $0.dictionary["b"] = 2 }
    aggregator.edit { $0.dictionary["a"] = nil }

    #expect(a.values == [nil, 1, nil])
    #expect(b.values == [nil, 2])
  }
}
