import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// Shown without measuring time: storage that is shared must be copied before it is changed, and the probe counts that.
@Suite("Folding in place")
struct InPlaceTests {
  private struct Probed: AggregateState {
    var probe: CopyProbe
    var other = 0

    mutating func apply(_ event: Bool) {
      if event { probe.increment() } else { other += 1 }
    }
  }

  private struct ProbedAndPicky: AggregateState {
    var probe: CopyProbe

    mutating func apply(_ event: Bool) throws(Account.Refusal) {
      probe.increment()
      if !event { throw .overdrawn(by: 0) }
    }
  }

  @Test(
    "An event changes the state in place: after the first, which leaves the initial state, none copies"
  )
  func inPlace() {
    let copies = Counter()
    let aggregator = Aggregator(initial: Probed(probe: CopyProbe(copies: copies)))

    aggregator.send(true)
    let first = copies.value
    for _ in 0..<1000 { aggregator.send(true) }

    #expect(first <= 1)
    #expect(copies.value == first)
    #expect(aggregator.snapshot.probe.number == 1001)
  }

  @Test("Selections, subscribers to snapshots and to events do not make folding copy")
  func inPlaceWithSubscribers() {
    let copies = Counter()
    let aggregator = Aggregator(initial: Probed(probe: CopyProbe(copies: copies)))
    let selection = Recorder(aggregator.select { $0.probe.number }.observable)
    let other = Recorder(aggregator.select(\.other).observable)
    let events = Recorder(aggregator.events)
    let seen = Counter()
    let states = aggregator.states.subscribe { state in
      if state.probe.number >= 0 { seen.increment() }
    }
    defer { states.cancel() }

    aggregator.send(true)
    let first = copies.value
    for _ in 0..<100 { aggregator.send(true) }

    #expect(copies.value == first)
    #expect(selection.values == Array(0...101))
    #expect(other.values == [0])
    #expect(events.values.count == 101)
    #expect(seen.value == 102)
  }

  @Test("A snapshot that is kept costs one copy, and stays what it was")
  func keptSnapshot() {
    let copies = Counter()
    let aggregator = Aggregator(initial: Probed(probe: CopyProbe(copies: copies)))
    aggregator.send(true)
    let first = copies.value

    let kept = aggregator.snapshot
    for _ in 0..<100 { aggregator.send(true) }

    #expect(copies.value == first + 1)
    #expect(kept.probe.number == 1)
    #expect(aggregator.snapshot.probe.number == 101)
  }

  @Test("Only a state that can throw pays for the rollback: one copy for each event")
  func throwingStateCopies() {
    let copies = Counter()
    let aggregator = Aggregator(initial: ProbedAndPicky(probe: CopyProbe(copies: copies)))

    for _ in 0..<100 { aggregator.send(true) }
    #expect(copies.value == 100)

    aggregator.send(false)
    #expect(aggregator.snapshot.probe.number == 100)
  }

  @Test("The storage of an array stays where it is")
  func arrayStaysInPlace() {
    struct Samples: AggregateState {
      var values: [Int]
      var addresses: Set<UInt> = []

      mutating func apply(_ event: Int) {
        values[event] += 1
        let address = values.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        addresses.insert(address)
      }
    }
    let aggregator = Aggregator(initial: Samples(values: Array(repeating: 0, count: 1000)))
    let total = Recorder(aggregator.select { $0.values[0] }.observable)

    for index in 0..<1000 { aggregator.send(index) }

    #expect(aggregator.snapshot.addresses.count == 1)
    #expect(total.values == [0, 1])
  }

  @Test("A change to a large dictionary does not copy it")
  func dictionary() {
    struct Large: AggregateState {
      var entries: [Int: CopyProbe]

      mutating func apply(_ key: Int) {
        entries[key]?.increment()
      }
    }
    let copies = Counter()
    let entries = Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, CopyProbe(copies: copies)) })
    let aggregator = Aggregator(initial: Large(entries: entries))
    let size = Recorder(aggregator.select(\.entries.count).observable)
    // The first event leaves the initial state; a copied dictionary would share the storage of every entry in it.
    aggregator.send(0)
    for key in 0..<1000 { aggregator.send(key) }
    let first = copies.value

    for _ in 0..<3 { for key in 0..<1000 { aggregator.send(key) } }

    #expect(copies.value == first)
    #expect(size.values == [1000])
  }
}
