import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Folding")
struct FoldingTests {
  @Test("AGG-02: a hundred thousand events from four threads are each folded exactly once")
  func concurrentSends() async {
    let aggregator = Aggregator(initial: Tally())
    let states = Counter()
    let token = aggregator.states.subscribe { _ in states.increment() }
    defer { token.cancel() }

    await Threads.run(count: 4) { _ in
      for _ in 0..<25_000 { aggregator.send(.add(1)) }
    }

    #expect(await eventually { states.value >= 100_001 })
    #expect(aggregator.snapshot.count == 100_000)
    #expect(states.value == 100_001)
  }

  @Test("AGG-03: sources and events by hand go through one queue, and the order within each is kept")
  func oneQueue() async {
    let subjects = [Subject<Int, Never>(), Subject<Int, Never>()]
    let aggregator = Aggregator(
      initial: Journal(),
      sources: subjects[0].observable,
      subjects[1].observable
    )
    let events = Recorder(aggregator.events)

    await Threads.run(count: 3) { origin in
      for number in 0..<3000 {
        let event = number * 10 + origin
        if origin < 2 { subjects[origin].send(event) } else { aggregator.send(event) }
      }
    }

    #expect(await eventually { events.values.count >= 9000 })
    let folded = aggregator.snapshot.entries
    #expect(folded.count == 9000)
    #expect(folded == events.values)
    for origin in 0..<3 {
      #expect(folded.filter { $0 % 10 == origin } == (0..<3000).map { $0 * 10 + origin })
    }
  }

  @Test("AGG-04: an event sent from inside apply is folded after the current one, never within it")
  func sendInsideApply() {
    let aggregator = Aggregator(initial: Scripted())
    let tape = Log<String>()
    let values = Recorder(aggregator.states.map(\.value))

    aggregator.run { state in
      tape.note("outer begins")
      aggregator.run { state in
        tape.note("inner")
        state.value += 10
      }
      state.value += 1
      tape.note("outer ends")
    }

    #expect(tape.entries == ["outer begins", "outer ends", "inner"])
    #expect(values.values == [0, 1, 11])
  }

  @Test("AGG-05: an event sent by a subscriber is folded when everyone has seen the present snapshot")
  func sendInsideSubscriber() {
    let aggregator = Aggregator(initial: Tally())
    let first = Recorder(aggregator.states.map(\.count)) { event in
      if case .value(1) = event { aggregator.send(.add(10)) }
    }
    let second = Recorder(aggregator.states.map(\.count)) { event in
      if case .value(11) = event { aggregator.send(.add(100)) }
    }
    let third = Recorder(aggregator.select(\.count).observable)

    aggregator.send(.add(1))

    #expect(first.values == [0, 1, 11, 111])
    #expect(second.values == [0, 1, 11, 111])
    #expect(third.values == [0, 1, 11, 111])
  }

  @Test("An event sent from inside a subscriber is seen by everyone, in order")
  func sentFromInside() {
    let aggregator = Aggregator(initial: Tally())
    let first = Recorder(aggregator.select(\.count).observable) { event in
      if case .value(1) = event { aggregator.send(.add(1)) }
    }
    // Delivered depth first, the next subscriber would see 2, then 1, and stay there.
    let second = Recorder(aggregator.select(\.count).observable)

    aggregator.send(.add(1))

    #expect(first.values == [0, 1, 2])
    #expect(second.values == [0, 1, 2])
  }

  @Test("AGG-06: each event gives one snapshot, also the events of one synchronous cascade")
  func oneSnapshotPerEvent() {
    let aggregator = Aggregator(initial: Tally())
    let counts = Recorder(aggregator.states.map(\.count))
    let cascade = aggregator.events.subscribe { event in
      guard case .rename = event else { return }
      for _ in 0..<3 { aggregator.send(.add(1)) }
    }
    defer { cascade.cancel() }

    aggregator.send(.rename("go"))

    #expect(counts.values == [0, 0, 1, 2, 3])
  }

  @Test("AGG-07: it folds from the moment it exists, in order of arrival, and needs no subscriber")
  func foldsFromTheStart() {
    let subject = Subject<Int, Never>()
    let aggregator = Aggregator(
      initial: Journal(),
      sources: Observable([1, 2]),
      subject.observable,
      Observable([3])
    )
    #expect(aggregator.snapshot.entries == [1, 2, 3])

    subject.send(4)
    aggregator.send(5)
    #expect(aggregator.snapshot.entries == [1, 2, 3, 4, 5])

    let late = Recorder(aggregator.states.map(\.entries))
    #expect(late.values == [[1, 2, 3, 4, 5]])
  }

  @Test("AGG-15: a fold that leaves the state equal is a snapshot like any other")
  func equalStatesCount() {
    let aggregator = Aggregator(initial: Tally())
    let states = Recorder(aggregator.states)

    aggregator.send(.nothing)
    aggregator.send(.nothing)

    #expect(states.values == [Tally(), Tally(), Tally()])
  }

  @Test("A state of one's own can be folded, with and without an aggregator")
  func stateOfOnesOwn() {
    struct Extremes: AggregateState {
      var lowest: Double?
      var highest: Double?

      mutating func apply(_ event: Double) {
        lowest = min(lowest ?? event, event)
        highest = max(highest ?? event, event)
      }
    }
    var byHand = Extremes()
    let aggregator = Aggregator(initial: Extremes(), sources: Observable([3, 1, 2]))

    for value in [3.0, 1, 2] { byHand.apply(value) }

    #expect([byHand.lowest, byHand.highest] == [1, 3])
    #expect([aggregator.snapshot.lowest, aggregator.snapshot.highest] == [1, 3])
  }
}
