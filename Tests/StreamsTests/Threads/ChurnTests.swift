import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Attaching and detaching under load")
struct ChurnTests {
  @Test("THR-06: threads that keep attaching and detaching whole pipelines never see values out of order")
  func pipelines() async {
    let source = Subject<Int, TestError>(initial: 0)
    let other = Subject<Int, TestError>()
    let tracker = LifetimeTracker()
    let faults = Log<String>()
    let done = Flag()
    let attachers = Counter()
    await Threads.run(count: 3) { thread in
      if thread == 0 {
        var value = 0
        while !done.isRaised {
          value += 1
          source.send(value)
          // Not faster than the others deliver, or one of them would be kept delivering for ever.
          block { source.latest == value || done.isRaised }
          if value.isMultiple(of: 7) { other.send(0) }
        }
        return
      }
      for round in 0..<rounds(1_500) {
        let object = tracker.make()
        let last = Counter()
        let ends = Counter()
        let stream = Observable.merge(source.observable, other.map { -$0 - 1 })
          .filter { $0 >= 0 }
          .map { Observable([$0]).setFailureType(to: TestError.self) }
          .switchToLatest()
          .scan(0) { max($0, $1) }
          .distinctUntilChanged()
        let token = stream.prefix(round % 3 == 0 ? 5 : .max).subscribe { value in
          _ = object
          if value < last.value { faults.note("\(value) after \(last.value)") }
          last.increment(by: value - last.value)
        } onEnd: { _ in
          ends.increment()
        }
        if round % 3 == 0 {
          // The end is heard just after the subscription is over, by the thread that delivers it.
          block { ends.value > 0 }
          if token.isActive || ends.value != 1 { faults.note("\(ends.value) ends") }
        } else {
          token.cancel()
          if ends.value != 0 { faults.note("an end after cancel") }
        }
      }
      if attachers.increment() == 2 { done.raise() }
    }
    #expect(faults.entries == [])
    #expect(await eventually { source.observerCount == 0 && other.observerCount == 0 })
    source.finish()
    // A task that took over the rest of a line may hold the last of a pipeline until it runs.
    #expect(await eventually { tracker.liveCount == 0 })
  }

  @Test("Subscribing and cancelling from many threads leaves the count at zero and order intact")
  func subscriptions() async {
    let subject = Subject<Int, Never>()
    await Threads.run(count: 4) { thread in
      for round in 0..<rounds(5_000) {
        let token = subject.subscribe { _ in }
        if (round + thread).isMultiple(of: 5) { subject.send(round) }
        token.cancel()
      }
    }
    #expect(await eventually { subject.observerCount == 0 })
    let recorder = Recorder(subject.observable)
    subject.send(1)
    // The rest of the line may have been handed over, so the observer may have come in its middle.
    #expect(await eventually { recorder.values.last == 1 && subject.pendingCount == 0 })
    #expect(recorder.values == [1])
  }

  @Test("Releasing the subject while others subscribe and send through what they hold: all of them get the end")
  func releaseRace() async {
    for _ in 0..<rounds(5_000) {
      let subject = Box(Subject<Int, Never>(initial: 0))
      let view = subject.value?.observable
      let recorders = Log<Recorder<Int, Never>>()
      await Threads.run(
        { _ = subject.take() },
        { if let view { recorders.note(Recorder(view)) } },
        { _ = subject.value?.send(1) }
      )
      for recorder in recorders.entries { #expect(recorder.ends == [.finished]) }
    }
  }
}
