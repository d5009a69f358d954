import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("share")
struct ShareTests {
  private let marbles = Marbles()

  /// A shared source of diagrams, and what was asked of it.
  private func shared(
    _ diagram: String,
    replaying count: Int = 0
  ) -> (stream: Observable<String, MarbleFailure>, log: SubscriptionLog) {
    let log = SubscriptionLog(on: marbles.time)
    return (marbles.stream(diagram).recordingSubscriptions(in: log).share(replaying: count), log)
  }

  @Test("SHARE-01: the first subscriber connects, the last one out disconnects, the next one connects anew")
  func connection() {
    let (stream, log) = shared("-a-b-c-d-e-f-g|")
    #expect(log.count == 0)
    let first = Recorder(stream)
    let second = Recorder(stream)
    #expect(log.count == 1)
    marbles.time.advance(to: .seconds(2))
    first.cancel()
    first.cancel()
    #expect(log.activeCount == 1)
    marbles.time.advance(to: .seconds(4))
    second.cancel()
    #expect(log.spans.map(\.outcome) == [.cancelled])
    #expect(log.spans.map(\.released) == [.seconds(4)])
    #expect(marbles.time.pending == [])
    marbles.expect(stream, "-a-b-c-d-e-f-g|")
    #expect(log.count == 2)
    #expect(first.values == ["a"])
    #expect(second.values == ["a", "b"])
  }

  @Test("SHARE-01: connected and left many times, one connection at a time")
  func churn() {
    let subject = Subject<Int, Never>()
    let log = SubscriptionLog()
    let stream = subject.observable.recordingSubscriptions(in: log).share()
    for round in 1...100 {
      let recorders = (0..<3).map { _ in Recorder(stream) }
      subject.send(round)
      #expect(recorders.map(\.values) == [[round], [round], [round]])
      #expect(subject.observerCount == 1)
      for recorder in recorders { recorder.cancel() }
      #expect(subject.observerCount == 0)
      #expect(log.count == round)
    }
  }

  @Test("latecomers join the running connection; a diagram is played once")
  func joining() {
    let (stream, log) = shared("-a-b-c|")
    let first = Recorder(stream, on: marbles.time)
    marbles.time.advance(by: .seconds(2))
    marbles.expect(stream, "-b-c|")
    #expect(first.values == ["a", "b", "c"])
    #expect(log.count == 1)
  }

  @Test(
    "replay: newcomers get the newest values first",
    arguments: [(0, "--d|"), (1, "c-d|"), (2, "[bc]-d|"), (9, "[abc]-d|")]
  )
  func replay(count: Int, result: String) {
    let (stream, _) = shared("[ab]c--d|", replaying: count)
    let first = Recorder(stream)
    marbles.time.advance(by: .seconds(2))
    marbles.expect(stream, result)
    #expect(first.values == ["a", "b", "c", "d"])
  }

  @Test("a replay of less than nothing replays nothing")
  func negativeReplay() {
    let subject = Subject<Int, Never>()
    let stream = subject.share(replaying: -1)
    let first = Recorder(stream)
    subject.send(1)
    let second = Recorder(stream)
    #expect(first.values == [1])
    #expect(second.values == [])
  }

  @Test("SHARE-02: after a reconnection the replay starts empty")
  func replayAfterReconnection() {
    let subject = Subject<Int, Never>()
    let stream = subject.share(replaying: 2)
    let first = Recorder(stream)
    for value in 1...3 { subject.send(value) }
    #expect(Recorder(stream).values == [2, 3])
    first.cancel()
    let second = Recorder(stream)
    #expect(second.values == [])
    subject.send(4)
    #expect(Recorder(stream).values == [4])
    #expect(second.values == [4])
  }

  @Test("SHARE-03: after the end, latecomers get what is replayed and the end; the source is not started again")
  func latecomers() {
    for (count, replayed) in [(0, ""), (1, "b"), (5, "ab")] {
      let (stream, log) = shared("a-b|", replaying: count)
      marbles.expect(stream, "a-b|")
      marbles.expect(stream, "[\(replayed)|]")
      marbles.expect(stream, "[\(replayed)|]--")
      #expect(log.count == 1)
      #expect(log.spans.map(\.outcome) == [.ended])
    }
  }

  @Test("SHARE-03: after a failure the next subscriber connects anew, so a retry finds a source")
  func failure() {
    for count in [0, 1, 5] {
      let (stream, log) = shared("a-b^", replaying: count)
      marbles.expect(stream, "a-b^")
      marbles.expect(stream, "a-b^")
      #expect(log.spans.map(\.outcome) == [.ended, .ended])
      marbles.expect(stream.retry(1, on: marbles.time), "a-ba-b^")
      #expect(log.count == 4)
    }
  }

  @Test("SHARE-03: if everyone left before the end, the next one connects anew")
  func leftBeforeTheEnd() {
    let (stream, log) = shared("a-|", replaying: 1)
    marbles.expect(stream, "a;")
    marbles.expect(stream, "a-|")
    marbles.expect(stream, "[a|]")
    #expect(log.spans.map(\.outcome) == [.cancelled, .ended])
  }

  @Test("SHARE-05: a source that ends while it is connected leaves no connection and no wrong count")
  func synchronousSource() {
    let log = SubscriptionLog()
    let stream = Observable([1, 2, 3]).recordingSubscriptions(in: log).share(replaying: 1)
    marbles.expect(stream, "[123|]")
    marbles.expect(stream, "[3|]")
    #expect(log.spans.map(\.outcome) == [.ended])
    let failing = Observable<Int, MarbleFailure> { $0.fail(MarbleFailure()) }
    let sharedFailure = failing.recordingSubscriptions(in: log).share()
    marbles.expect(sharedFailure, "^")
    marbles.expect(sharedFailure, "^")
    #expect(log.count == 3)
    #expect(log.activeCount == 0)
  }

  @Test("SHARE-05: cancelling inside the first value of a source that sends at once disconnects it")
  func cancelInsideTheFirstValue() {
    let log = SubscriptionLog()
    let produced = Lock(0)
    let source = Observable(1...3).map { value in
      produced.withLock { $0 += 1 }
      return value
    }
    let stream = source.recordingSubscriptions(in: log).share(replaying: 3)
    for round in 1...3 {
      marbles.expect(stream.prefix(1), "[1|]")
      #expect(produced.withLock { $0 } == round)
      #expect(log.spans.map(\.outcome) == Array(repeating: .cancelled, count: round))
    }
    marbles.expect(stream, "[123|]")
  }

  @Test("SHARE-08: cancelling one leaves the others running, also in the middle of a round")
  func siblings() {
    let subject = Subject<Int, Never>()
    let stream = subject.share()
    let second = Lock<Recorder<Int, Never>?>(nil)
    let first = Recorder(stream) { _ in second.withLock { $0 }?.cancel() }
    second.withLock { $0 = Recorder(stream) }
    let third = Recorder(stream)
    subject.send(1)
    subject.send(2)
    #expect(first.values == [1, 2])
    #expect(second.withLock { $0 }?.values == [])
    #expect(third.values == [1, 2])
    #expect(subject.observerCount == 1)
    first.cancel()
    third.cancel()
    #expect(subject.observerCount == 0)
  }

  @Test("a subscriber may subscribe, send and leave inside a callback")
  func reentrancy() {
    let subject = Subject<Int, Never>()
    let stream = subject.share(replaying: 1)
    let inner = Lock<[Recorder<Int, Never>]>([])
    let outer = Recorder(stream) { event in
      guard case .value(let value) = event, value < 3 else { return }
      subject.send(value + 1)
      let newcomer = Recorder(stream)
      inner.withLock { $0.append(newcomer) }
    }
    subject.send(1)
    #expect(outer.values == [1, 2, 3])
    #expect(inner.withLock { $0 }.map(\.values) == [[1, 2, 3], [2, 3]])
  }

  @Test("leaving inside the end, and subscribing inside it: no second connection")
  func subscribingInsideTheEnd() {
    let (stream, log) = shared("a|", replaying: 1)
    let late = Lock<Recorder<String, MarbleFailure>?>(nil)
    let first = Recorder(stream) { event in
      if case .end = event {
        let recorder = Recorder(stream)
        late.withLock { $0 = recorder }
      }
    }
    marbles.time.run()
    #expect(first.ends == [.finished])
    #expect(late.withLock { $0 }?.values == ["a"])
    #expect(late.withLock { $0 }?.ends == [.finished])
    #expect(log.count == 1)
  }

  @Test("a source that breaks the grammar reaches no subscriber twice, and not the next connection either")
  func hostile() {
    let source = HostileSource<Int, MarbleFailure>()
    let stream = source.share(replaying: 1)
    let first = Recorder(stream)
    source.send(1)
    first.cancel()
    let second = Recorder(stream)
    // Goes to the observer of the first connection and to that of the second.
    source.send(2)
    #expect(first.values == [1])
    #expect(second.values == [2])
    source.end(.finished)
    source.end(.failed(MarbleFailure()))
    source.send(3)
    #expect(second.values == [2])
    #expect(second.ends == [.finished])
  }

  @Test("nothing is kept: neither after the last one left nor after the end")
  func leak() {
    let tracker = LifetimeTracker()
    let subject = Subject<Int, Never>()
    var stream: Observable<LifetimeTracker.Object, Never>? =
      subject.map { [mine = tracker.make()] _ in
        _ = mine
        return tracker.make()
      }.share(replaying: 2)
    let subscription = stream?.subscribe { _ in }
    for value in 0..<5 { subject.send(value) }
    #expect(tracker.liveCount == 3)
    subscription?.cancel()
    #expect(tracker.liveCount == 1, "the replay goes with the connection; the stream can still be connected")
    let again = stream?.subscribe { _ in }
    stream = nil
    subject.send(1)
    #expect(tracker.liveCount == 2)
    subject.finish()
    again?.cancel()
    #expect(tracker.liveCount == 0)
  }
}
