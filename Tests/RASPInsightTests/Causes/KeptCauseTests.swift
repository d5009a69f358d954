import Aggregate
import RASPInsight
import RASPTesting
import Streams
import TestSupport
import Testing

/// Time that a test sets, and whose timers do not fire by themselves: as on a machine that is busy.
private final class LateScheduler: Scheduler {
  private let state = Lock<Duration>(.zero)

  var now: Duration { state.withLock { $0 } }

  func set(to seconds: Int) { state.exchange(with: .seconds(seconds)) }

  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription { Subscription {} }
}

@Suite struct KeptCauseTests {
  /// An operator that keeps a value, and sends it when its time has come.
  enum Keeper: CaseIterable, Sendable {
    case delay, debounce, throttle, sample, buffer

    func apply(_ words: Observable<String, Never>, on scheduler: some Scheduler) -> Observable<String, Never> {
      switch self {
      case .delay: words.delay(by: .seconds(1), on: scheduler)
      case .debounce: words.debounce(for: .seconds(1), on: scheduler)
      case .throttle: words.prepend("window").throttle(for: .seconds(1), on: scheduler)
      case .sample: words.sample(every: .seconds(1), on: scheduler)
      case .buffer: words.buffer(every: .seconds(1), on: scheduler).compactMap { $0.last }
      }
    }
  }

  @Test(arguments: Keeper.allCases)
  func aValueThatWasKeptHasTheCauseItArrivedWith(_ keeper: Keeper) async {
    let (source, target, time) = (Traced(), Traced(), VirtualScheduler())
    let token = keeper.apply(source.aggregator.events, on: time).subscribe { target.send($0) }
    source.send("one")
    // The thread that moves time has a cause of its own.
    await inTask(of: elsewhere) { time.advance(by: .seconds(1)) }
    source.send("two")
    elsewhere.perform { time.advance(by: .seconds(2)) }
    #expect(target.causes["one"] == source.identity("one"))
    #expect(target.causes["two"] == source.identity("two"))
    token.cancel()
  }

  @Test(arguments: Keeper.allCases.filter { $0 != .sample })
  func anEventThatComesBeforeALateTimerIsNotTheCauseOfWhatWasKept(_ keeper: Keeper) {
    let (source, target, time) = (Traced(), Traced(), LateScheduler())
    let token = keeper.apply(source.aggregator.events, on: time).subscribe { target.send($0) }
    source.send("kept")
    time.set(to: 5)
    source.send("arriving")
    #expect(target.causes["kept"] == source.identity("kept"))
    token.cancel()
  }

  @Test func whatWasKeptUntilTheEndHasTheCauseItArrivedWith() {
    for keeper in Keeper.allCases {
      let (source, ending, target) = (Traced(), Traced(), Traced())
      let subject = Subject<String, Never>()
      let tokens = [
        source.aggregator.events.subscribe { subject.send($0) },
        ending.aggregator.events.subscribe { _ in subject.finish() },
        keeper.apply(subject.observable, on: VirtualScheduler()).subscribe {
          target.send($0)
        } onEnd: { _ in
          target.send("ended")
        },
      ]
      source.send("kept")
      ending.send("end")
      if keeper != .delay {
        #expect(target.causes["kept"] == source.identity("kept"), "\(keeper)")
        #expect(target.causes["ended"] == ending.identity("end"), "\(keeper)")
      }
      for token in tokens { token.cancel() }
    }
  }

  @Test func aDelayedEndHasTheCauseItArrivedWith() {
    let (ending, target, time) = (Traced(), Traced(), VirtualScheduler())
    let subject = Subject<String, Never>()
    let tokens = [
      ending.aggregator.events.subscribe { _ in subject.finish() },
      subject.delay(by: .seconds(1), on: time).subscribe { _ in
      } onEnd: { _ in
        target.send("ended")
      },
    ]
    ending.send("end")
    elsewhere.perform { time.advance(by: .seconds(1)) }
    #expect(target.causes["ended"] == ending.identity("end"))
    for token in tokens { token.cancel() }
  }

  @Test func severalValuesInABufferHaveACauseOnlyIfAllHaveTheSame() {
    let (source, target, time) = (Traced(), Traced(), VirtualScheduler())
    let token = source.aggregator.events.flatMapTwice().buffer(every: .seconds(1), on: time).subscribe {
      target.send($0.joined(separator: " "))
    }
    source.send("a")
    time.advance(by: .seconds(1))
    source.send("b")
    source.send("c")
    time.advance(by: .seconds(1))
    #expect(target.causes["a a"] == source.identity("a"))
    #expect(target.causes["b b c c"] == .unknown)
    token.cancel()
  }

  @Test func aTimeoutIsNotCausedByTheEventThatComesTooLate() {
    let (source, target, time) = (Traced(), Traced(), LateScheduler())
    let words = source.aggregator.events.setFailureType(to: TestError.self)
    let token = words.timeout(after: .seconds(1), on: time, failure: TestError()).subscribe { _ in
    } onEnd: { _ in
      target.send("timed out")
    }
    time.set(to: 2)
    source.send("too late")
    #expect(target.causes == ["timed out": .unknown])
    token.cancel()
  }

  @Test func whatATimerBringsAboutIsUnknown() async {
    let (target, time) = (Traced(), VirtualScheduler())
    let tokens = await inTask(of: elsewhere) {
      [
        Observable.interval(.seconds(1), on: time).prefix(1).subscribe { _ in target.send("interval") },
        Observable.timer(after: .seconds(1), on: time).subscribe { target.send("timer") },
      ]
    }
    await inTask(of: elsewhere) { time.advance(by: .seconds(1)) }
    #expect(target.causes == ["interval": .unknown, "timer": .unknown])
    for token in tokens { token.cancel() }
  }

  @Test func aRealTimerDoesNotInheritTheCauseOfTheTaskThatSubscribed() async {
    let target = Traced()
    let token = await inTask(of: elsewhere) {
      Observable.timer(after: .milliseconds(1)).subscribe { target.send("timer") }
    }
    #expect(await eventually { !target.causes.isEmpty })
    #expect(target.causes == ["timer": .unknown])
    token.cancel()
  }

  @Test func whatAnActorReceivesHasItsOwnCause() async {
    actor Receiver {}
    let (left, right, target) = (Traced(), Traced(), Traced())
    let receiver = Receiver()
    let subject = Subject<String, Never>()
    let tokens = [
      left.aggregator.events.subscribe { subject.send($0) },
      right.aggregator.events.subscribe { subject.send($0) },
      subject.receive(on: receiver).subscribe { _, word in target.send(word) },
    ]
    await inTask(of: elsewhere) {
      subject.send("own")
      left.send("left")
      right.send("right")
    }
    await onThread { subject.send("from outside") }
    #expect(await eventually { target.causes.count == 4 })
    #expect(target.causes["own"] == elsewhere)
    #expect(target.causes["left"] == left.identity("left"))
    #expect(target.causes["right"] == right.identity("right"))
    #expect(target.causes["from outside"] == .unknown)
    for token in tokens { token.cancel() }
  }

  @Test func anAsyncSequenceIsNotCausedByItsSubscriber() async {
    let target = Traced()
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let token = await inTask(of: elsewhere) { Observable(stream).subscribe { target.send($0) } }
    continuation.yield("word")
    #expect(await eventually { !target.causes.isEmpty })
    #expect(target.causes == ["word": .unknown])
    token.cancel()
  }

  @Test func aStreamThatWaitsInAConcatenationHasTheCauseItArrivedWith() async {
    let (source, ending, target) = (Traced(), Traced(), Traced())
    let first = Subject<String, Never>()
    let answers = source.aggregator.events
      .map { word in
        if word == "first" { return first.observable }
        return Observable<String, Never>.task { "answer to \(word)" }
      }
      .concat()
    let tokens = [
      ending.aggregator.events.subscribe { _ in first.finish() },
      answers.subscribe { target.send($0) },
    ]
    for word in ["first", "second", "third"] { source.send(word) }
    // What follows is subscribed to because the first one has ended, and is caused by what it arrived with.
    ending.send("end")
    #expect(await eventually { target.causes.count == 2 })
    #expect(target.causes["answer to second"] == source.identity("second"))
    #expect(target.causes["answer to third"] == source.identity("third"))
    for token in tokens { token.cancel() }
  }

  @Test func aValueThatAStreamSendsWhenItIsItsTurnHasTheCauseTheStreamArrivedWith() {
    let (source, ending, target) = (Traced(), Traced(), Traced())
    let first = Subject<String, Never>()
    let subject = Subject<Observable<String, Never>, Never>()
    let tokens = [
      source.aggregator.events.subscribe { word in
        subject.send(word == "first" ? first.observable : Observable([word]))
      },
      ending.aggregator.events.subscribe { _ in first.finish() },
      subject.concat().subscribe { target.send($0) },
    ]
    for word in ["first", "second", "third"] { source.send(word) }
    ending.send("end")
    #expect(target.causes["second"] == source.identity("second"))
    #expect(target.causes["third"] == source.identity("third"))
    for token in tokens { token.cancel() }
  }

  @Test func theResultOfAnOperationIsCausedByWhatStartedIt() async {
    let (source, target) = (Traced(), Traced())
    let results = source.aggregator.events
      .map { word in
        Observable<String, Never>.task {
          await Task.yield()
          return "found \(word)"
        }
      }
      .merge()
    let token = results.subscribe { target.send($0) }
    source.send("a")
    await inTask(of: elsewhere) { source.send("b") }
    #expect(await eventually { target.causes.count == 2 })
    #expect(target.causes["found a"] == source.identity("a"))
    #expect(target.causes["found b"] == source.identity("b"))
    token.cancel()
  }

  @Test func aReplayedValueHasTheCauseItArrivedWith() {
    let (source, joining, target) = (Traced(), Traced(), Traced())
    let subject = Subject<String, Never>(replaying: 2)
    let later = SubscriptionBag()
    let tokens = [
      source.aggregator.events.subscribe { subject.send($0) },
      joining.aggregator.events.subscribe { _ in later.insert(subject.subscribe { target.send($0) }) },
    ]
    source.send("one")
    source.send("two")
    joining.send("join")
    #expect(target.causes["one"] == source.identity("one"))
    #expect(target.causes["two"] == source.identity("two"))
    for token in tokens { token.cancel() }
  }
}

extension Observable where Element == String, Failure == Never {
  /// Each value twice, in one delivery.
  fileprivate func flatMapTwice() -> Observable { map { Observable([$0, $0]) }.merge() }
}
