import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Order of notification")
struct OrderTests {
  @Test(
    "Rule 3: all subscribers of one aggregator are called in the order of subscription, whatever it is to"
  )
  func orderOfSubscription() {
    let aggregator = Aggregator(initial: Tally())
    let tape = Log<Int>()
    let bag = SubscriptionBag()
    defer { bag.cancel() }
    // Two nodes of the tree, one below another, all snapshots and all events, mixed.
    aggregator.select(\.name).subscribe { _ in tape.note(0) }.store(in: bag)
    aggregator.states.subscribe { _ in tape.note(1) }.store(in: bag)
    aggregator.select(\.name).select(\.count).subscribe { _ in tape.note(2) }.store(in: bag)
    aggregator.events.subscribe { _ in tape.note(3) }.store(in: bag)
    aggregator.select(\.name).subscribe { _ in tape.note(4) }.store(in: bag)
    aggregator.states.subscribe { _ in tape.note(5) }.store(in: bag)
    aggregator.select { $0.name + "!" }.subscribe { _ in tape.note(6) }.store(in: bag)
    aggregator.select(\.name).select(\.count).subscribe { _ in tape.note(7) }.store(in: bag)
    aggregator.events.subscribe { _ in tape.note(8) }.store(in: bag)
    #expect(tape.entries == [0, 1, 2, 4, 5, 6, 7])

    aggregator.send(.rename("a"))
    #expect(Array(tape.entries.dropFirst(7)) == Array(0...8))

    aggregator.send(.rename("b"))
    #expect(Array(tape.entries.dropFirst(16)) == [0, 1, 3, 4, 5, 6, 8])
  }

  @Test("SUB-08: the order stands with a thousand subscribers, after removals in the middle")
  func manySubscribers() {
    let aggregator = Aggregator(initial: Tally())
    let tape = Log<Int>()
    let tokens = (0..<1000).map { index in
      index.isMultiple(of: 2)
        ? aggregator.select(\.count).subscribe { _ in tape.note(index) }
        : aggregator.states.subscribe { _ in tape.note(index) }
    }
    for index in stride(from: 0, to: 1000, by: 3) { tokens[index].cancel() }

    aggregator.send(.add(1))

    #expect(Array(tape.entries.dropFirst(1000)) == (0..<1000).filter { !$0.isMultiple(of: 3) })
    #expect(tokens.count { $0.isActive } == 666)
  }

  @Test("SUB-08: so does the order within one field", arguments: [[0], [3, 1], [9, 0, 5], [4, 5, 6, 7]])
  func oneField(removed: [Int]) {
    let aggregator = Aggregator(initial: Tally())
    let tape = Log<Int>()
    let tokens = (0..<10).map { index in aggregator.select(\.count).subscribe { _ in tape.note(index) } }
    for index in removed { tokens[index].cancel() }

    aggregator.send(.add(1))

    #expect(Array(tape.entries.dropFirst(10)) == (0..<10).filter { !removed.contains($0) })
    #expect(tokens.count { $0.isActive } == 10 - removed.count)
  }

  @Test("Rule 6: whom a sibling cancels in the middle of a round is not called any more")
  func cancelSibling() {
    let aggregator = Aggregator(initial: Tally())
    let victims = SubscriptionBag()
    let tape = Log<String>()
    let first = aggregator.states.subscribe { state in
      if state.count == 1 { victims.cancel() }
    }
    defer { first.cancel() }
    aggregator.states.subscribe { _ in tape.note("states") }.store(in: victims)
    aggregator.select(\.count).subscribe { _ in tape.note("count") }.store(in: victims)
    aggregator.events.subscribe { _ in tape.note("events") }.store(in: victims)

    aggregator.send(.add(1))
    aggregator.send(.add(1))

    #expect(tape.entries == ["states", "count"])
  }

  @Test("Rule 3: all see the same sequence, also with events sent from inside callbacks")
  func oneSequence() {
    let aggregator = Aggregator(initial: Tally())
    let recorders = (0..<5).map { index in
      Recorder(aggregator.select(\.count).observable) { event in
        if case .value(let count) = event, count < 50, count % 5 == index { aggregator.send(.add(1)) }
      }
    }

    for recorder in recorders {
      #expect(recorder.values == Array(recorders[0].values.suffix(recorder.values.count)))
    }
    #expect(recorders.allSatisfy { $0.values.last == aggregator.snapshot.count })
  }

  @Test("SUB-09: the same closure subscribed twice is two subscriptions")
  func subscribedTwice() {
    let aggregator = Aggregator(initial: Tally())
    let calls = Counter()
    let callback: @Sendable (Int) -> Void = { _ in calls.increment() }
    let one = aggregator.select(\.count).subscribe(callback)
    let two = aggregator.select(\.count).subscribe(callback)
    defer { two.cancel() }

    aggregator.send(.add(1))
    one.cancel()
    aggregator.send(.add(1))

    #expect(calls.value == 5)
  }
}
