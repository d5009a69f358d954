import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("catch")
struct CatchTests {
  private struct Other: Error, Hashable {}

  private let marbles = Marbles()

  @Test(
    "goes on with another stream, from its beginning, when this one fails",
    arguments: [
      ("a-b^", "x-y|", "a-bx-y|"),
      ("^", "x|", "x|"),
      ("a-b|", "x-y|", "a-b|"),
      ("a^", "-^", "a-^"),
      ("a^", "---", "a---"),
      ("[ab^]", "[xy|]", "[abxy|]"),
    ]
  )
  func replacement(source: String, other: String, result: String) {
    marbles.expect(marbles.stream(source).catch { [other = marbles.stream(other)] _ in other }, result)
  }

  @Test("the replacement gets the failure, once, and may fail in a way of its own or not at all")
  func types() {
    let failures = Lock<[MarbleFailure]>([])
    let never: Observable<String, Never> = marbles.stream("ab^").catch { failure in
      failures.withLock { $0.append(failure) }
      return Observable(["x", "y"])
    }
    marbles.expect(never, "ab[xy|]")
    #expect(failures.withLock { $0 } == [MarbleFailure()])
    let other: Observable<String, Other> = marbles.stream("a^").catch { _ in
      Observable { $0.fail(Other()) }
    }
    let recorder = Recorder(other)
    marbles.time.run()
    #expect(recorder.ends == [.failed(Other())])
  }

  @Test("one after the other: a chain of replacements")
  func chain() {
    let second = marbles.stream("b-^")
    let third = marbles.stream("c-|")
    marbles.expect(marbles.stream("a-^").catch { _ in second }.catch { _ in third }, "a-b-c-|")
    marbles.expect(marbles.stream("a-|").catch { _ in second }.catch { _ in third }, "a-|")
  }

  @Test("the failed stream is released before the replacement is subscribed to; it may be the very same stream")
  func order() {
    let log = SubscriptionLog(on: marbles.time)
    let source = marbles.stream("a-^").recordingSubscriptions(in: log)
    let active = Lock<[Int]>([])
    let stream = source.catch { _ in
      let count = log.activeCount
      active.withLock { $0.append(count) }
      return source
    }
    marbles.expect(stream, "a-a-^")
    #expect(active.withLock { $0 } == [0])
    #expect(log.spans.map(\.outcome) == [.ended, .ended])
  }

  @Test("cancelling releases whichever stream runs, and then nothing is replaced")
  func cancel() {
    let log = SubscriptionLog(on: marbles.time)
    let calls = Lock(0)
    let stream = marbles.stream("a--^").recordingSubscriptions(in: log).catch { _ in
      calls.withLock { $0 += 1 }
      return marbles.stream("x---").recordingSubscriptions(in: log)
    }
    marbles.expect(stream, "a-;")
    #expect(calls.withLock { $0 } == 0)
    marbles.expect(stream, "a--x;")
    #expect(calls.withLock { $0 } == 1)
    #expect(log.spans.map(\.outcome) == [.cancelled, .ended, .cancelled])
  }

  @Test("cancelling inside the replacement's closure: the replacement is not delivered")
  func cancelInside() {
    let subject = Subject<Int, MarbleFailure>()
    let token = Lock<Subscription?>(nil)
    let seen = Lock<[Int]>([])
    let stream = subject.catch { _ in
      token.withLock { $0 }?.cancel()
      return Observable<Int, Never>([7, 8])
    }
    let subscription = stream.subscribe { value in seen.withLock { $0.append(value) } }
    token.withLock { $0 = subscription }
    subject.send(1)
    subject.fail(MarbleFailure())
    #expect(seen.withLock { $0 } == [1])
  }

  @Test("a source that breaks the grammar: what it sends after its failure is dropped, and it is replaced once")
  func hostile() {
    let source = HostileSource<Int, MarbleFailure>()
    let other = Subject<Int, Never>()
    let calls = Lock(0)
    let recorder = Recorder(
      source.catch { _ in
        calls.withLock { $0 += 1 }
        return other.observable
      }
    )
    source.send(1)
    source.end(.failed(MarbleFailure()))
    source.send(2)
    source.end(.failed(MarbleFailure()))
    source.end(.finished)
    other.send(3)
    #expect(recorder.values == [1, 3])
    #expect(recorder.ends == [])
    #expect(calls.withLock { $0 } == 1)
    #expect(other.observerCount == 1)
  }

  @Test("nothing is kept: neither the failed stream while the other runs, nor anything after the end")
  func leak() {
    let failed = LifetimeTracker()
    let tracker = LifetimeTracker()
    let other = Subject<Int, Never>()
    let subject = Lock<Subject<Int, MarbleFailure>?>(Subject())
    func subscribe() -> Subscription? {
      subject.withLock { $0 }?.map { [object = failed.make()] value in
        _ = object
        return value
      }.catch { [object = tracker.make()] _ in
        _ = object
        return other.observable
      }.subscribe { [object = tracker.make()] _ in _ = object }
    }
    let subscription = subscribe()
    subject.withLock { $0 }?.fail(MarbleFailure())
    #expect(failed.liveCount == 0)
    other.finish()
    #expect(tracker.liveCount == 0)
    _ = subscription
  }
}
