import RASPTesting
import Streams
import TestSupport
import Testing

/// What every operator that knows time promises.
@Suite("Operators that know time")
struct TimedOperatorTests {
  private let time = VirtualScheduler()
  private let subject = Subject<Int, MarbleFailure>()

  @Test("cancelling leaves nothing pending and nothing comes afterwards", arguments: TimedOperator.allCases)
  func cancel(timed: TimedOperator) {
    let recorder = Recorder(timed.apply(to: subject.observable, .seconds(10), on: time))
    for value in 0..<3 { subject.send(value) }
    recorder.cancel()
    let seen = recorder.records.count
    #expect(time.pending == [])
    #expect(subject.observerCount == 0)
    subject.send(3)
    time.advance(by: .seconds(100))
    #expect(recorder.records.count == seen)
  }

  @Test("cancelling inside the delivery of a timer leaves nothing pending", arguments: TimedOperator.allCases)
  func cancelInside(timed: TimedOperator) {
    let recorder = Recorder(timed.apply(to: subject.observable, on: time).prefix(1))
    for value in 0..<3 { subject.send(value) }
    time.advance(by: .seconds(1))
    #expect(recorder.values.count == 1)
    #expect(recorder.ends == [.finished])
    #expect(time.pending == [])
    #expect(subject.observerCount == 0)
  }

  @Test("the end leaves nothing pending, and comes once", arguments: TimedOperator.allCases, [true, false])
  func end(timed: TimedOperator, finishes: Bool) {
    let recorder = Recorder(timed.apply(to: subject.observable, on: time))
    for value in 0..<3 { subject.send(value) }
    if finishes { subject.finish() } else { subject.fail(MarbleFailure()) }
    time.run()
    #expect(recorder.ends == [finishes ? .finished : .failed(MarbleFailure())])
    #expect(time.pending == [])
  }

  @Test(
    "nothing is kept after cancelling or after the end: neither observers nor values that wait",
    arguments: TimedOperator.allCases,
    ["cancel", "finish", "fail"]
  )
  func leak(timed: TimedOperator, outcome: String) {
    let tracker = LifetimeTracker()
    let source = Subject<LifetimeTracker.Object, MarbleFailure>()
    let subscription = timed.apply(to: source.observable, .seconds(5), on: time).subscribe {
      [mine = tracker.make()] _ in
      _ = mine
    }
    for _ in 0..<3 { source.send(tracker.make()) }
    switch outcome {
    case "cancel": subscription.cancel()
    case "finish": source.finish()
    default: source.fail(MarbleFailure())
    }
    if outcome == "finish" { time.run() }
    #expect(tracker.liveCount == 0)
    #expect(time.pending == [])
  }

  @Test(
    "any duration is taken without a trap, also at any instant: the end comes, once, and the newest value before it",
    arguments: TimedOperator.allCases,
    [
      .zero, .seconds(-1), .seconds(Int64.min), .seconds(Int64.max), Duration(attoseconds: .min),
      Duration(attoseconds: .max),
    ]
  )
  func extremes(timed: TimedOperator, duration: Duration) {
    for start in [Duration.zero, .seconds(1), .seconds(Int64.max), Duration(attoseconds: .max)] {
      let time = VirtualScheduler()
      time.advance(to: start)
      let source = Subject<Int, MarbleFailure>()
      let recorder = Recorder(timed.apply(to: source.observable, duration, on: time))
      for value in 0..<3 { source.send(value) }
      source.finish()
      // A timer that is not cancelled would keep an interval running for ever.
      #expect(time.run(limit: 100))
      #expect(recorder.ends.count == 1)
      switch timed {
      case .throttle, .debounce, .sample: #expect(recorder.values.last == 2)
      case .delay, .bufferEvery, .bufferBoth: #expect(recorder.values == [0, 1, 2])
      case .throttleFirst: #expect(recorder.values.first == 0)
      case .timeout: #expect(recorder.values == (recorder.end == .finished ? [0, 1, 2] : []))
      }
    }
  }

  @Test(
    "a callback may send into the source: each value is handled after the one that caused it",
    arguments: TimedOperator.allCases
  )
  func reentrancy(timed: TimedOperator) {
    let recorder = Recorder(timed.apply(to: subject.observable, on: time), on: time) { [subject] event in
      if case .value(let value) = event, value < 3 { subject.send(value + 1) }
    }
    subject.send(0)
    time.advance(to: .seconds(10))
    let instants: [Int] =
      switch timed {
      case .throttle: [0, 1, 2, 3]
      case .throttleFirst: [0]
      case .debounce, .delay, .sample, .bufferEvery, .bufferBoth: [1, 2, 3, 4]
      case .timeout: [0, 0, 0, 0, 1]
      }
    #expect(recorder.values == Array(0..<min(4, instants.count)))
    #expect(recorder.records.map(\.instant) == instants.map { .seconds($0) })
  }

  @Test("a callback may end the source, and may cancel", arguments: TimedOperator.allCases)
  func endingInside(timed: TimedOperator) {
    let recorder = Recorder(timed.apply(to: subject.observable, on: time)) { [subject] _ in subject.finish() }
    subject.send(0)
    subject.send(1)
    time.advance(to: .seconds(10))
    #expect(recorder.ends == [.finished])
    #expect(recorder.values.first == 0 || recorder.values == [1])
    #expect(time.pending == [])
  }

  @Test("a source that breaks the grammar is seen as a well-formed stream", arguments: TimedOperator.allCases)
  func hostile(timed: TimedOperator) {
    let source = HostileSource<Int, MarbleFailure>()
    let recorder = Recorder(timed.apply(to: source.observable, on: time))
    source.send(1)
    time.advance(by: .milliseconds(500))
    source.end(.finished)
    source.send(2)
    source.end(.failed(MarbleFailure()))
    source.end(.finished)
    time.run()
    source.send(3)
    source.end(.finished)
    time.run()
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.finished])
  }

  @Test("each subscription has a time of its own", arguments: TimedOperator.allCases)
  func independence(timed: TimedOperator) {
    let marbles = Marbles()
    let stream = timed.apply(to: marbles.stream("ab--c|"), .seconds(2), on: marbles.time)
    let first = Recorder(stream, on: marbles.time)
    marbles.time.advance(by: .seconds(3))
    let second = Recorder(stream, on: marbles.time)
    marbles.time.run()
    #expect(second.values == first.values)
    #expect(second.records.map { $0.instant - .seconds(3) } == first.records.map(\.instant))
  }

  @Test("a scheduler may run what is due before it returns the token", arguments: TimedOperator.allCases)
  func eagerScheduler(timed: TimedOperator) {
    let eager = EagerScheduler(time: time)
    let recorder = Recorder(timed.apply(to: subject.observable, .zero, on: eager))
    for value in 0..<3 { subject.send(value) }
    subject.finish()
    time.advance(by: .seconds(1))
    if timed == .timeout {
      #expect(recorder.values == [])
      #expect(recorder.ends == [.failed(MarbleFailure())])
    } else {
      #expect(recorder.values == (timed == .sample ? [2] : [0, 1, 2]))
      #expect(recorder.ends == [.finished])
    }
    #expect(time.pending == [])
  }

  @Test("a source that sends at once is seen from the first value to the end", arguments: TimedOperator.allCases)
  func synchronous(timed: TimedOperator) {
    let marbles = Marbles()
    let source = Observable([1, 2, 3]).setFailureType(to: MarbleFailure.self)
    let result =
      switch timed {
      case .throttle: "[13|]"
      case .throttleFirst: "[1|]"
      case .debounce, .sample: "[3|]"
      case .delay: "-[123|]"
      case .timeout, .bufferEvery, .bufferBoth: "[123|]"
      }
    marbles.expect(timed.apply(to: source, on: marbles.time), result)
  }
}
