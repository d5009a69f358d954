import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Finishing")
struct FinishTests {
  @Test("AGG-10: sending after finish does nothing and says so; so does finishing again")
  func sendAfterFinish() {
    let aggregator = Aggregator(initial: Tally())
    let states = Recorder(aggregator.states)

    #expect(aggregator.send(.add(1)))
    #expect(aggregator.finish())
    #expect(!aggregator.send(.add(1)))
    #expect(!aggregator.finish())

    #expect(aggregator.snapshot.count == 1)
    #expect(states.values.map(\.count) == [0, 1])
    #expect(states.ends == [.finished])
  }

  @Test("AGG-10: finish from inside a callback takes effect behind what was accepted before it")
  func finishInsideCallback() {
    let aggregator = Aggregator(initial: Tally())
    let accepted = Log<Bool>()
    let first = Recorder(aggregator.states.map(\.count)) { event in
      guard case .value(1) = event else { return }
      accepted.note(aggregator.send(.add(10)))
      accepted.note(aggregator.finish())
      accepted.note(aggregator.send(.add(100)))
    }
    let second = Recorder(aggregator.states.map(\.count))

    aggregator.send(.add(1))

    #expect(accepted.entries == [true, true, false])
    #expect(first.values == [0, 1, 11])
    #expect(second.values == [0, 1, 11])
    #expect(first.ends == [.finished])
    #expect(second.ends == [.finished])
  }

  @Test(
    "AGG-10: an end that drops, behind one that promises, drops nothing and answers false",
    arguments: [false, true]
  )
  func dropsBehindFinish(dropsFirst: Bool) {
    let journal = Aggregator(initial: Journal())
    let answers = Log<Bool>()
    let token = journal.events.subscribe { event in
      guard event == 0 else { return }
      for event in 1...3 { answers.note(journal.send(event)) }
      answers.note(dropsFirst ? journal.finish(droppingPending: true) : journal.finish())
      answers.note(dropsFirst ? journal.finish() : journal.finish(droppingPending: true))
    }
    journal.send(0)
    #expect(answers.entries == [true, true, true, true, false])
    #expect(journal.snapshot.entries == (dropsFirst ? [0] : [0, 1, 2, 3]))
    #expect(journal.droppedCount == (dropsFirst ? 3 : 0))
    #expect(!token.isActive)
  }

  @Test("AGG-12: finish releases the sources and finishes everyone, in the order of subscription")
  func finishEndsAll() {
    let subject = Subject<Tally.Event, Never>()
    let aggregator = Aggregator(initial: Tally(), sources: subject.observable)
    let tape = Log<String>()
    let states = aggregator.states.subscribe { _ in
    } onEnd: { _ in
      tape.note("states")
    }
    let count = aggregator.select(\.count).subscribe { _ in
    } onEnd: { _ in
      tape.note("count")
    }
    let events = aggregator.events.subscribe { _ in
    } onEnd: { _ in
      tape.note("events")
    }
    let name = aggregator.select(\.name).subscribe { _ in
    } onEnd: { _ in
      tape.note("name")
    }
    let again = aggregator.select(\.count).subscribe { _ in
    } onEnd: { _ in
      tape.note("count again")
    }
    let failures = Recorder(aggregator.sourceFailures)

    aggregator.finish()

    #expect(subject.observerCount == 0)
    #expect(tape.entries == ["states", "count", "events", "name", "count again"])
    #expect(failures.ends == [.finished])
    for token in [states, count, events, name, again] { #expect(!token.isActive) }
  }

  @Test("AGG-12: releasing the aggregator cancels its sources and finishes its subscribers")
  func releaseEndsAll() {
    let time = VirtualScheduler()
    let log = SubscriptionLog(on: time)
    let holder = Box(
      Aggregator(
        initial: Journal(),
        sources: Observable.interval(.seconds(1), on: time).recordingSubscriptions(in: log)
      )
    )
    guard let entries = holder.value?.select(\.entries) else { return }
    let recorder = Recorder(entries.observable)
    time.advance(by: .seconds(2))

    holder.take()
    time.advance(by: .seconds(2))

    #expect(recorder.values == [[], [0], [0, 1]])
    #expect(recorder.ends == [.finished])
    #expect(log.spans.map(\.outcome) == [.cancelled])
    #expect(log.spans.map(\.released) == [.seconds(2)])
    #expect(time.pending.isEmpty)
    #expect(entries.current == [0, 1])
  }

  @Test("Rule 8: who subscribes after the end gets the last value, where there is one, and then the end")
  func lateSubscribers() {
    let aggregator = Aggregator(initial: Tally())
    let name = aggregator.select(\.name)
    aggregator.send(.rename("last"))
    aggregator.finish()

    let states = Recorder(aggregator.states)
    #expect(states.values == [Tally(name: "last")])
    #expect(states.ends == [.finished])

    let late = Recorder(name.observable)
    #expect(late.values == ["last"])
    #expect(late.ends == [.finished])

    let inner = Recorder(name.select(\.count).observable)
    #expect(inner.values == [4])
    #expect(inner.ends == [.finished])

    let events = Recorder(aggregator.events)
    #expect(events.values.isEmpty)
    #expect(events.ends == [.finished])
    #expect(Recorder(aggregator.rejections).ends == [.finished])
    #expect(Recorder(aggregator.sourceFailures).ends == [.finished])
    #expect(Recorder(aggregator.diagnostics).ends == [.finished])
  }

  @Test(
    "Who subscribes in the moment of the end, behind a finish in line, gets the last value and then the end"
  )
  func subscribeBehindFinish() {
    let aggregator = Aggregator(initial: Tally())
    let late = Box<Recorder<Tally, Never>>()
    let first = Recorder(aggregator.states) { event in
      guard case .value(let state) = event, state.count == 1 else { return }
      aggregator.finish()
      late.value = Recorder(aggregator.states)
    }

    aggregator.send(.add(1))

    #expect(first.ends == [.finished])
    #expect(late.value?.values == [Tally(count: 1)])
    #expect(late.value?.ends == [.finished])
  }

  @Test("A source added after finish is never subscribed to")
  func addAfterFinish() {
    let aggregator = Aggregator(initial: Journal())
    let log = SubscriptionLog()
    aggregator.finish()

    let source = aggregator.add(Observable([1]).recordingSubscriptions(in: log))
    aggregator.replace(sources: Observable([2]).recordingSubscriptions(in: log))

    #expect(log.count == 0)
    #expect(!aggregator.remove(source: source))
    #expect(aggregator.snapshot.entries.isEmpty)
  }
}
