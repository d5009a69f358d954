import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Reentrancy")
struct ReentrancyTests {
  @Test("REENT-07: a hundred thousand events that each cause the next, from a subscriber, use constant stack")
  func chainFromSubscriber() {
    let aggregator = Aggregator(initial: Tally())
    let last = Watch()
    let token = aggregator.select(\.count).subscribe { count in
      last.see(count)
      if count < 100_000 { aggregator.send(.add(1)) }
    }
    defer { token.cancel() }

    #expect(aggregator.snapshot.count == 100_000)
    #expect(last.calls.value == 100_001)
    #expect(!last.steppedBack)
  }

  @Test("REENT-07: so do a hundred thousand that each cause the next from inside apply")
  func chainFromApply() {
    let aggregator = Aggregator(initial: Scripted())
    let chain = Chain(aggregator)

    aggregator.send(chain.step(100_000))

    #expect(aggregator.snapshot.value == 100_001)
  }

  private struct Chain: Sendable {
    let aggregator: Aggregator<Scripted>

    init(_ aggregator: Aggregator<Scripted>) {
      self.aggregator = aggregator
    }

    func step(_ remaining: Int) -> Scripted.Step {
      Scripted.Step { state in
        state.value += 1
        if remaining > 0 { aggregator.send(step(remaining - 1)) }
      }
    }
  }

  @Test("REENT-07: two aggregators that answer each other use constant stack, too")
  func pingPong() {
    let ping = Aggregator(initial: Tally())
    let pong = Aggregator(initial: Tally())
    let bag = SubscriptionBag()
    defer { bag.cancel() }
    ping.select(\.count).subscribe { if $0 < 50_000 { pong.send(.add(1)) } }.store(in: bag)
    pong.select(\.count).subscribe { if $0 > 0 { ping.send(.add(1)) } }.store(in: bag)

    #expect(ping.snapshot.count == 50_000)
    #expect(pong.snapshot.count == 50_000)
  }

  @Test("REENT-04: subscribing from inside callbacks of all kinds: kept, current once, not in the same round")
  func subscribeEverywhere() {
    let aggregator = Aggregator(initial: Account())
    let late = Log<Recorder<Int, Never>>()
    let join: @Sendable () -> Void = {
      if late.entries.count < 8 { late.note(Recorder(aggregator.select(\.balance).observable)) }
    }
    let recorders = (
      Recorder(aggregator.states) { _ in join() },
      Recorder(aggregator.events) { _ in join() },
      Recorder(aggregator.rejections) { _ in join() },
      Recorder(aggregator.select { $0.bookings.count }.observable) { _ in join() }
    )

    for amount in [1, -5, 2] { aggregator.send(amount) }
    aggregator.send(10)

    #expect(recorders.0.values.count == 4)
    #expect(late.entries.count == 8)
    let expected = [0, 1, 3, 13]
    for recorder in late.entries {
      #expect(!recorder.values.isEmpty)
      #expect(recorder.values == Array(expected.suffix(recorder.values.count)))
    }
  }

  @Test("CAN-04: an observer that cancels itself in a callback is not called again")
  func cancelOneself() {
    let aggregator = Aggregator(initial: Tally())
    let token = Box<Subscription>()
    let seen = Log<Int>()
    token.value = aggregator.select(\.count).subscribe { count in
      seen.note(count)
      if count == 1 {
        aggregator.send(.add(1))
        token.value?.cancel()
      }
    }

    aggregator.send(.add(1))
    aggregator.send(.add(1))

    #expect(seen.entries == [0, 1])
    #expect(aggregator.snapshot.count == 3)
  }

  @Test("CAN-04: cancelling in the first value, before subscribe has returned its token, by way of prefix")
  func cancelInFirstValue() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Tally())
    let selection = aggregator.select { state -> Int in
      evaluations.increment()
      return state.count
    }
    let recorder = Recorder(selection.prefix(1))
    let before = evaluations.value

    aggregator.send(.add(1))

    #expect(recorder.values == [0])
    #expect(recorder.ends == [.finished])
    #expect(evaluations.value == before)
  }

  @Test("Selecting, reading and subscribing below from inside a selection's callback")
  func selectInsideCallback() {
    let aggregator = Aggregator(initial: Tally())
    let name = aggregator.select(\.name)
    let inner = Box<Recorder<Int, Never>>()
    let lengths = Log<Int>()
    let outer = Recorder(name.observable) { event in
      guard case .value(let value) = event else { return }
      lengths.note(name.select(\.count).current)
      if value == "a" { inner.value = Recorder(name.select(\.count).observable) }
    }

    aggregator.send(.rename("a"))
    aggregator.send(.rename("bc"))

    #expect(outer.values == ["", "a", "bc"])
    #expect(lengths.entries == [0, 1, 2])
    #expect(inner.value?.values == [1, 2])
  }

  @Test("Selecting and subscribing from inside a selector's own closure waits until the evaluation is over")
  func subscribeInsideRead() {
    let aggregator = Aggregator(initial: Tally())
    let late = Box<Recorder<String, Never>>()
    let selection = Recorder(
      aggregator.select { state -> Int in
        if state.count == 1, late.value == nil { late.value = Recorder(aggregator.select(\.name).observable) }
        return state.count
      }.observable
    )

    aggregator.send(.add(1))
    aggregator.send(.rename("a"))

    #expect(selection.values == [0, 1])
    #expect(late.value?.values == ["", "a"])
  }

  @Test("Subscribing, cancelling and reading from inside apply is put off or answered, never a trap")
  func everythingInsideApply() {
    let aggregator = Aggregator(initial: Scripted())
    let other = Recorder(aggregator.states.map(\.value))
    let late = Box<Recorder<Int, Never>>()

    aggregator.run { state in
      state.value = 1
      late.value = Recorder(aggregator.select(\.value).observable)
      other.cancel()
      #expect(late.value?.values == [])
      state.value = 2
    }
    aggregator.run { $0.value = 3 }

    #expect(other.values == [0])
    #expect(late.value?.values == [2, 3])
  }

  @Test("Adding, removing and replacing sources from inside apply")
  func sourcesInsideApply() {
    let aggregator = Aggregator(initial: Scripted())
    let subject = Subject<Scripted.Step, Never>()
    let source = aggregator.add(subject.observable)

    aggregator.run { state in
      state.value = 1
      subject.send(Scripted.Step { $0.value += 100 })
      aggregator.remove(source: source)
      aggregator.add(Observable([Scripted.Step { $0.value += 10 }]))
      aggregator.add(subject.observable)
      state.value = 2
    }
    #expect(aggregator.snapshot.value == 12)

    aggregator.run { _ in aggregator.replace(sources: Observable([Scripted.Step { $0.value += 1000 }])) }
    #expect(aggregator.snapshot.value == 1012)
    #expect(subject.observerCount == 0)
  }

  @Test("Finishing from inside apply ends behind the event")
  func finishInsideApply() {
    let aggregator = Aggregator(initial: Scripted())
    let states = Recorder(aggregator.states.map(\.value))

    aggregator.run { state in
      aggregator.finish()
      state.value = 1
    }

    #expect(!aggregator.run { $0.value = 2 })
    #expect(states.values == [0, 1])
    #expect(states.ends == [.finished])
  }

  @Test("Releasing the aggregator from inside a callback ends behind the round", arguments: [false, true])
  func releaseInsideCallback(inApply: Bool) {
    let tracker = LifetimeTracker()
    let subject = Subject<Scripted.Step, Never>()
    let holder = Box(
      Aggregator(initial: Scripted(objects: [tracker.make()]), sources: subject.observable)
    )
    guard let states = holder.value?.states, let value = holder.value?.select(\.value).observable else {
      return
    }
    let first = Recorder(states.map(\.value)) { event in
      if case .value(1) = event, !inApply { holder.take() }
    }
    let second = Recorder(value)

    subject.send(
      Scripted.Step { state in
        state.value = 1
        if inApply { holder.take() }
      }
    )

    #expect(first.values == [0, 1])
    #expect(second.values == [0, 1])
    #expect(first.ends == [.finished])
    #expect(second.ends == [.finished])
    #expect(subject.observerCount == 0)
  }
}
