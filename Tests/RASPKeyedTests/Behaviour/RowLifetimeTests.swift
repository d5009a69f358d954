import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Lifetimes of keyed aggregators")
struct RowLifetimeTests {
  private func makeTallies(shards: Int) -> KeyedAggregator<Int, Tally> {
    KeyedAggregator(
      shards: shards,
      indexOf: { $0 % shards },
      by: { (event: Tally.Event) in event == .nothing ? 1 : 0 },
      initial: { _ in Tally() }
    )
  }

  @Test(
    "KEY-11: finish ends subscribers of rows, views and queries; newcomers get what is there and the end",
    arguments: [1, 3]
  )
  func finish(shards: Int) {
    let tallies = makeTallies(shards: shards)
    tallies.send(.add(3))
    let streams: [Observable<String, Never>] = [
      tallies[0].select(\.count).observable.map { "\($0 ?? -1)" },
      tallies[7].select(\.count).observable.map { "\($0 ?? -1)" },
      tallies.each(\.count).map { "\($0.key) \($0.value)" },
      tallies.changes.map { "\($0.key)" },
      tallies.events.map { "\($0)" },
      tallies.ranked(by: \.count, first: 2).observable.map { "\($0.map(\.key))" },
      tallies.count { $0.count > 1 }.observable.map { "\($0)" },
      tallies.keys.observable.map { "\($0)" },
    ]
    let values = [["3"], ["-1"], ["0 3"], ["0"], [], ["[0]"], ["1"], ["[0]"]]
    let before = streams.map { Recorder($0) }
    let diagnostics = Recorder(tallies.diagnostics)
    #expect(tallies.finish())
    #expect(!tallies.finish())
    let after = streams.map { Recorder($0) }
    for recorders in [before, after] {
      #expect(recorders.map(\.values) == values)
      #expect(recorders.allSatisfy { $0.ends == [.finished] })
    }
    #expect(diagnostics.ends == [.finished])
    #expect(!tallies.send(.add(1)))
    tallies.remove(0)
    tallies.insert([5: Tally()])
    #expect(tallies.rows() == [0: Tally(count: 3)])
    #expect(tallies[0].current?.count == 3)
    #expect(tallies.count { $0.count > 1 }.current == 1)
  }

  @Test("KEY-11: what was accepted is folded before the end")
  func finishBehindEvents() {
    let tallies = makeTallies(shards: 1)
    let counts = Recorder(tallies[0].select(\.count).observable) { [unowned tallies] event in
      guard case .value(1) = event else { return }
      #expect(tallies.send(.add(1)))
      #expect(tallies.finish())
      #expect(!tallies.send(.add(1)))
    }
    tallies.send(.add(1))
    #expect(counts.values == [nil, 1, 2])
    #expect(counts.ends == [.finished])
  }

  @Test(
    "KEY-11: an end that drops, behind one that promises, drops nothing and answers false",
    arguments: [1, 3],
    [false, true]
  )
  func dropsBehindFinish(shards: Int, dropsFirst: Bool) {
    let journals = KeyedAggregator(
      shards: shards,
      indexOf: { _ in 0 },
      by: { (_: Int) in 0 },
      initial: { _ in Journal() }
    )
    let answers = Log<Bool>()
    let token = journals.events.subscribe { [unowned journals] event in
      guard event == 0 else { return }
      for event in 1...3 { answers.note(journals.send(event)) }
      answers.note(dropsFirst ? journals.finish(droppingPending: true) : journals.finish())
      answers.note(dropsFirst ? journals.finish() : journals.finish(droppingPending: true))
    }
    journals.send(0)
    #expect(answers.entries == [true, true, true, true, false])
    #expect(journals[0].current?.entries == (dropsFirst ? [0] : [0, 1, 2, 3]))
    #expect(journals.droppedCount == (dropsFirst ? 3 : 0))
    withExtendedLifetime(token) {}
  }

  @Test(
    "KEY-11: neither sources nor rows nor subscriptions keep it alive; its release ends them, and nothing is left",
    arguments: [1, 3]
  )
  func release(shards: Int) {
    let tracker = LifetimeTracker()
    let subject = Subject<Scripted.Step, Never>()
    do {
      let holder = Box(
        KeyedAggregator(
          shards: shards,
          indexOf: { $0 % shards },
          by: { (_: Scripted.Step) in 1 },
          initial: { _ in Scripted(objects: [tracker.make()]) }
        )
      )
      holder.value?.add(subject)
      subject.send(Scripted.Step { $0.value = 1 })
      let row = holder.value?[1]
      let value = row?.select(\.value)
      let recorders = [
        (value?.observable).map { Recorder($0.map { "\($0 ?? 0)" }) },
        (holder.value?.each(\.objects.count)).map { Recorder($0.map { "\($0.value)" }) },
        (holder.value?.count { [object = tracker.make()] _ in
          _ = object; return true
        }.observable)
        .map { Recorder($0.map { "\($0)" }) },
        (holder.value?.ranked(by: \.value, first: 1).observable).map { Recorder($0.map { "\($0.count)" }) },
      ]
      #expect(tracker.liveCount == 2)
      holder.take()
      #expect(subject.observerCount == 0)
      #expect(recorders.map { $0?.values ?? [] } == [["1"], ["1"], ["1"], ["1"]])
      #expect(recorders.allSatisfy { $0?.ends == [.finished] })
      #expect(row?.current?.value == 1)
      #expect(value?.current == 1)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("KEY-11: a removed row, and a subscriber that has left, are released at once")
  func released() {
    let tracker = LifetimeTracker()
    let scripts = KeyedAggregator(
      by: { (_: Scripted.Step) in 1 },
      initial: { _ in Scripted(objects: [tracker.make()]) }
    )
    scripts.send(Scripted.Step { $0.value = 1 })
    let tokens = [
      scripts[1].select(\.objects.count).subscribe { [object = tracker.make()] _ in _ = object },
      scripts[1].select { [object = tracker.make()] state in
        _ = object
        return state.value
      }.subscribe { _ in },
      scripts.changes.subscribe { [object = tracker.make()] _ in _ = object },
      scripts.each(
        StateSelector { [object = tracker.make()] (state: Scripted) in
          _ = object
          return state.value
        }
      ).subscribe { _ in },
      scripts.keys { [object = tracker.make()] _ in
        _ = object
        return true
      }.subscribe { _ in },
      scripts.ranked(by: { $0.objects.count }, first: 3).subscribe { _ in },
    ]
    #expect(tracker.liveCount == 6)
    scripts.remove(1)
    #expect(tracker.liveCount == 5)
    for token in tokens { token.cancel() }
    #expect(tracker.liveCount == 0)
    scripts.send(Scripted.Step { $0.value = 1 })
    #expect(tracker.liveCount == 1)
  }
}
