import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// Each round is one race of two or three threads, decided anew.
@Suite("Races")
struct RaceTests {
  @Test("AGG-10: send against finish: what was accepted is folded and seen, what was refused is not")
  func sendAgainstFinish() async {
    for _ in 0..<rounds(30_000) {
      let aggregator = Aggregator(initial: Tally())
      let states = Recorder(aggregator.states.map(\.count))
      let accepted = Counter()
      await Threads.run {
        for _ in 0..<20 where aggregator.send(.add(1)) { accepted.increment() }
      } _: {
        aggregator.finish()
      }
      #expect(aggregator.snapshot.count == accepted.value)
      #expect(states.values == Array(0...accepted.value))
      #expect(states.ends == [.finished])
    }
  }

  @Test("AGG-12: release against a source that sends: everyone is finished once, and the source is released")
  func releaseAgainstSend() async {
    for _ in 0..<rounds(30_000) {
      let tracker = LifetimeTracker()
      let subject = Subject<Scripted.Step, Never>()
      let holder = Box(
        Aggregator(initial: Scripted(objects: [tracker.make()]), sources: subject.observable)
      )
      guard let selection = holder.value?.select(\.value).observable else { return }
      let recorder = Recorder(selection)
      await Threads.run {
        for _ in 0..<20 { subject.send(Scripted.Step { $0.value += 1 }) }
      } _: {
        holder.take()
      }
      #expect(recorder.values == Array(0..<recorder.values.count))
      #expect(recorder.ends == [.finished])
      #expect(subject.observerCount == 0)
    }
  }

  @Test("Rule 8: subscribing against finish: a value first, and exactly one end")
  func subscribeAgainstFinish() async {
    for _ in 0..<rounds(30_000) {
      let aggregator = Aggregator(initial: Tally())
      let selection = aggregator.select(\.count).select { $0 + 1 }
      let recorders = Log<Recorder<Int, Never>>()
      await Threads.run {
        for _ in 0..<5 { recorders.note(Recorder(selection.observable)) }
      } _: {
        aggregator.send(.add(1))
        aggregator.finish()
      }
      for recorder in recorders.entries {
        #expect(recorder.values.last == 2)
        #expect(recorder.values.count <= 2)
        #expect(recorder.ends == [.finished])
      }
    }
  }

  /// Cancelling does not wait, so a callback that another thread has begun to make may still be seen. But only that
  /// one.
  @Test(
    "Rule 6: cancel against send: behind a cancel that has returned there is at most the callback under way"
  )
  func cancelAgainstSend() async {
    for _ in 0..<rounds(30_000) {
      let aggregator = Aggregator(initial: Tally())
      let isCancelled = Flag()
      let late = [Counter(), Counter(), Counter()]
      let tokens = [
        aggregator.states.subscribe { _ in if isCancelled.isRaised { late[0].increment() } },
        aggregator.select(\.count).subscribe { _ in if isCancelled.isRaised { late[1].increment() } },
        aggregator.events.subscribe { _ in if isCancelled.isRaised { late[2].increment() } },
      ]
      await Threads.run {
        for _ in 0..<20 { aggregator.send(.add(1)) }
      } _: {
        for token in tokens { token.cancel() }
        isCancelled.raise()
      }
      // One event is under way at a time, so one callback of all three.
      #expect(late.map(\.value).reduce(0, +) <= 1)
    }
  }

  @Test("CAN-02: cancel against finish: at most one end, and nothing after it")
  func cancelAgainstFinish() async {
    for _ in 0..<rounds(30_000) {
      let aggregator = Aggregator(initial: Tally())
      let ends = Counter()
      let valuesAfterEnd = Counter()
      let token = aggregator.select(\.count).subscribe { _ in
        if ends.value > 0 { valuesAfterEnd.increment() }
      } onEnd: { _ in
        ends.increment()
      }
      await Threads.run {
        aggregator.send(.add(1))
        aggregator.finish()
      } _: {
        token.cancel()
      }
      #expect(ends.value <= 1)
      #expect(valuesAfterEnd.value == 0)
    }
  }

  @Test(
    "Selecting and leaving the same nodes from two threads, under fire: the tree is whole, and empty at the end"
  )
  func selectAgainstSend() async {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Tally())
    let evaluations = Counter()
    let faults = Counter()
    let count = rounds(200_000)
    do {
      let selector = StateSelector { [object = tracker.make()] (state: Tally) -> Int in
        evaluations.increment()
        return (object, state.count).1
      }
      await Threads.run(count: 3) { index in
        guard index > 0 else {
          for _ in 0..<count { aggregator.send(.add(1)) }
          return
        }
        for _ in 0..<rounds(20_000) {
          let watch = Watch()
          let outer = aggregator.select(selector).subscribe { watch.see($0) }
          let inner = aggregator.select(selector).select(\.description).subscribe { _ in }
          outer.cancel()
          inner.cancel()
          if watch.steppedBack || watch.last > count { faults.increment() }
        }
      }
    }
    // The rest of the line may have been handed over.
    #expect(await eventually { aggregator.snapshot.count == count && aggregator.pendingCount == 0 })
    #expect(await eventually { tracker.liveCount == 0 })
    let before = evaluations.value
    aggregator.send(.add(1))

    #expect(faults.value == 0)
    #expect(evaluations.value == before)
    #expect(tracker.liveCount == 0)
  }

  @Test(
    "AGG-20: remove against send: after remove has returned at most the event that was being folded counts"
  )
  func removeAgainstSend() async {
    for _ in 0..<rounds(30_000) {
      let subject = Subject<Tally.Event, Never>()
      let aggregator = Aggregator(initial: Tally())
      let source = aggregator.add(subject.observable)
      let atRemoval = Watch()
      await Threads.run {
        for _ in 0..<50 { subject.send(.add(1)) }
      } _: {
        aggregator.remove(source: source)
        atRemoval.see(aggregator.snapshot.count)
      }
      #expect(aggregator.snapshot.count <= atRemoval.last + 1)
      #expect(subject.observerCount == 0)
    }
  }

  @Test("Replace against send and finish: at the end no source is left")
  func replaceAgainstFinish() async {
    for _ in 0..<rounds(30_000) {
      let subjects = [Subject<Tally.Event, Never>(), Subject<Tally.Event, Never>()]
      let aggregator = Aggregator(initial: Tally(), sources: subjects[0].observable)
      await Threads.run {
        aggregator.replace(sources: subjects[1].observable)
        aggregator.add(subjects[0].observable)
      } _: {
        aggregator.finish()
      } _: {
        for subject in subjects { subject.send(.add(1)) }
      }
      // The end may have been handed over, while a source that was removed ended.
      #expect(await eventually { subjects.map(\.observerCount) == [0, 0] })
    }
  }

  @Test("Replace against replace: the sources of one of them feed the aggregator, never those of both")
  func replaceAgainstReplace() async {
    for _ in 0..<rounds(30_000) {
      let subjects = [Subject<Tally.Event, Never>(), Subject<Tally.Event, Never>()]
      let aggregator = Aggregator(initial: Tally())
      await Threads.run(count: 2) { index in
        aggregator.replace(sources: subjects[index].observable, subjects[index].observable)
      }
      let counts = subjects.map(\.observerCount)
      #expect(counts == [0, 2] || counts == [2, 0])
    }
  }

  @Test("A source that fails against its removal is reported at most once, and never after remove said true")
  func failAgainstRemove() async {
    for _ in 0..<rounds(30_000) {
      let subject = Subject<Tally.Event, TestError>()
      let aggregator = Aggregator(initial: Tally())
      let failures = Recorder(aggregator.sourceFailures)
      let source = aggregator.add(subject.observable)
      let removed = Counter()
      await Threads.run {
        subject.fail(TestError())
      } _: {
        if aggregator.remove(source: source) { removed.increment() }
      }
      // The report may have been handed over.
      #expect(await eventually { failures.values.count + removed.value == 1 })
    }
  }
}
