import Aggregate
import RASPTesting
import Streams
import Testing

/// Each was shown by running RaspSwift; here the opposite is shown.
@Suite("What RaspSwift gets wrong", .timeLimit(.minutes(10)))
struct WhatRaspSwiftGetsWrongTests {
  private struct Broken: Error {}

  @Test("State survives the last subscriber")
  func stateSurvives() {
    let subject = Subject<Int, Never>()
    let aggregator = Aggregator(initial: Journal(), sources: subject.observable)
    let first = Recorder(aggregator.states.map(\.entries))
    subject.send(1)
    first.cancel()
    subject.send(2)

    let second = Recorder(aggregator.states.map(\.entries))

    #expect(second.values == [[1, 2]])
  }

  @Test("Events before the first subscription count")
  func eventsBeforeSubscription() {
    let subject = Subject<Int, Never>()
    let aggregator = Aggregator(initial: Journal(), sources: subject.observable)

    subject.send(1)
    aggregator.send(2)

    #expect(Recorder(aggregator.states.map(\.entries)).values == [[1, 2]])
  }

  @Test("A source that is redirected before the first subscription is redirected")
  func redirectedBeforeSubscription() {
    let source = EventSource(following: Observable([1]))
    source.jump(to: Observable([2]))
    let aggregator = Aggregator(initial: Journal(), sources: source.events)

    #expect(aggregator.snapshot.entries == [2])
  }

  @Test("The initial state is delivered, and the current one to who comes later")
  func currentIsDelivered() {
    let aggregator = Aggregator(initial: Tally(count: 7))
    let early = Recorder(aggregator.select(\.count).observable)
    aggregator.send(.add(1))
    let late = Recorder(aggregator.select(\.count).observable)

    #expect(early.values == [7, 8])
    #expect(late.values == [8])
    #expect(aggregator.snapshot.count == 8)
  }

  @Test("An event sent from inside a subscriber is seen by everyone, in order")
  func sentFromInside() {
    let aggregator = Aggregator(initial: Tally())
    let first = Recorder(aggregator.select(\.count).observable) { event in
      if case .value(1) = event { aggregator.send(.add(1)) }
    }
    // In RaspSwift the next subscriber sees 2, then 1, and stays there.
    let second = Recorder(aggregator.select(\.count).observable)

    aggregator.send(.add(1))

    #expect(first.values == [0, 1, 2])
    #expect(second.values == [0, 1, 2])
  }

  @Test("One failing source ends neither the aggregator nor the other sources")
  func failingSource() {
    let good = Subject<Int, Never>()
    let bad = Subject<Int, Broken>()
    let aggregator = Aggregator(initial: Journal(), sources: bad.observable, good.observable)
    let states = Recorder(aggregator.states)

    bad.fail(Broken())
    good.send(1)

    #expect(states.values.map(\.entries) == [[], [1]])
    #expect(states.ends.isEmpty)
  }

  @Test("A reducer that throws neither ends the stream nor resets the state")
  func throwingReducer() {
    let aggregator = Aggregator(initial: Account())
    let balances = Recorder(aggregator.select(\.balance).observable)

    for amount in [5, -9, 2] { aggregator.send(amount) }

    #expect(balances.values == [0, 5, 7])
    #expect(balances.ends.isEmpty)
  }

  @Test("`events` does not start cold sources twice")
  func coldSources() {
    let log = SubscriptionLog()
    let time = VirtualScheduler()
    let source = Observable.interval(.seconds(1), on: time).recordingSubscriptions(in: log)
    let aggregator = Aggregator(initial: Journal(), sources: source)
    let events = Recorder(aggregator.events)
    let states = Recorder(aggregator.states)

    time.advance(by: .seconds(2))

    #expect(log.count == 1)
    #expect(events.values == [0, 1])
    #expect(states.values.map(\.entries) == [[], [0], [0, 1]])
  }

  @Test("Waiting in a subscriber for another sender does not deadlock")
  func waitingInSubscriber() {
    let aggregator = Aggregator(initial: Tally())
    let sent = Gate()
    let token = aggregator.events.subscribe { event in
      // Goes on when the other thread's send has returned.
      if event == .rename("wait") { sent.hold() }
    }
    defer { token.cancel() }

    Threads.run {
      aggregator.send(.rename("wait"))
    } _: {
      sent.waitUntilHeld()
      #expect(aggregator.send(.add(1)))
      sent.open()
    }

    #expect(aggregator.snapshot == Tally(count: 1, name: "wait"))
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

  @Test("Optionals and arrays can be selected: Equatable is enough, and not even that is needed")
  func optionalsAndArrays() {
    let aggregator = Aggregator(initial: Kinds())
    let optional = Recorder(aggregator.select(\.optional).observable)
    let array = Recorder(aggregator.select(\.array).observable)
    let opaque = Recorder(aggregator.select(\.opaque).observable)

    aggregator.edit { $0.optional = 1 }
    aggregator.edit { $0.array.append("a") }

    #expect(optional.values == [nil, 1])
    #expect(array.values == [[], ["a"]])
    #expect(opaque.values.count == 3)
  }

  @Test("Folding is in place: a change to a large dictionary does not copy it")
  func inPlace() {
    struct Large: AggregateState {
      var entries: [Int: CopyProbe]

      mutating func apply(_ key: Int) {
        entries[key]?.increment()
      }
    }
    let copies = Count()
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

  @Test("A selector costs one evaluation per event, not one per subscriber; below an unchanged field, none")
  func selectorsAreShared() {
    let evaluations = Count()
    let aggregator = Aggregator(initial: Tally())
    let selection = aggregator.select(\.name).select { name -> Int in
      evaluations.increment()
      return name.count
    }
    let recorders = (0..<100).map { _ in Recorder(selection.observable) }
    let before = evaluations.value

    for _ in 0..<100 { aggregator.send(.add(1)) }
    aggregator.send(.rename("abc"))

    #expect(evaluations.value == before + 1)
    #expect(recorders.allSatisfy { $0.values == [0, 3] })
  }

  @Test("A loop over a selection ends with the aggregator, and another task may cancel it")
  func loopsEnd() async {
    let holder = Holder(Aggregator(initial: Tally()))
    guard let values = holder.value?.select(\.count).values else { return }
    let reader = Task {
      var seen = 0
      for await _ in values { seen += 1 }
      return seen
    }
    holder.release()

    let seen = await reader.value
    #expect(seen == 1)
  }
}
