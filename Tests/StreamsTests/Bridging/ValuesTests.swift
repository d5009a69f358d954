import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("values: the pull side")
struct ValuesTests {
  @Test("BR-01: for await over a finite push stream gets every value in order and then ends")
  func finite() async {
    var seen: [Int] = []
    for await value in Observable(0..<500).map({ $0 * 2 }).values(buffering: .unbounded) {
      seen.append(value)
    }
    #expect(seen == (0..<500).map { $0 * 2 })
  }

  @Test("BR-01: an empty stream ends the loop at once")
  func empty() async {
    for await _ in Observable<Int, Never>([]).values(buffering: .unbounded) {
      Issue.record("There is no value")
    }
  }

  @Test("BR-02: a failure is thrown behind what was buffered before it, once; then nil for ever")
  func failure() async {
    let subject = Subject<Int, TestError>()
    var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
    subject.send(1)
    subject.send(2)
    subject.fail(TestError(code: 7))
    var seen: [Int?] = []
    do {
      seen.append(try await iterator.next())
      seen.append(try await iterator.next())
      seen.append(try await iterator.next())
      Issue.record("The failure was not thrown")
    } catch {
      #expect(error == TestError(code: 7))
    }
    #expect(seen == [1, 2])
    for _ in 0..<3 {
      #expect(await Result { () async throws(TestError) in try await iterator.next() } == .success(nil))
    }
  }

  @MainActor
  @Test("BR-02: a failure that arrives while the reader waits is thrown once, too")
  func failureWhileWaiting() async {
    let subject = Subject<Int, TestError>()
    let reading = Flag()
    let task = Task { @MainActor () -> [String] in
      var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
      reading.raise()
      var seen: [String] = []
      for _ in 0..<3 {
        do throws(TestError) {
          seen.append(try await iterator.next().map { "\($0)" } ?? "nil")
        } catch {
          seen.append("\(error.code)")
        }
      }
      return seen
    }
    // Both run on the main actor, so the flag is seen only when the reader has suspended.
    #expect(await eventually { reading.isRaised })
    subject.fail(TestError(code: 7))
    #expect(await task.value == ["7", "nil", "nil"])
  }

  @Test("BR-02: after normal completion every further next() gives nil")
  func completion() async {
    var iterator = Observable([1]).values(buffering: .unbounded).makeAsyncIterator()
    #expect(await iterator.next() == 1)
    for _ in 0..<3 { #expect(await iterator.next() == nil) }
  }

  @Test("BR-07: values sent between making the iterator and the first next() are kept")
  func subscribesAtOnce() async {
    let subject = Subject<Int, Never>()
    let values = subject.values(buffering: .unbounded)
    #expect(subject.observerCount == 0, "the sequence alone subscribes to nothing")
    subject.send(0)
    var iterator = values.makeAsyncIterator()
    #expect(subject.observerCount == 1)
    subject.send(1)
    subject.send(2)
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
  }

  @Test("BR-12: a slow consumer costs only itself")
  func slowConsumer() async {
    let subject = Subject<Int, Never>()
    let values = subject.values(buffering: .unbounded)
    var slow = values.makeAsyncIterator()
    var fast = values.makeAsyncIterator()
    for value in 0..<1_000 {
      subject.send(value)
      #expect(await fast.next() == value)
    }
    subject.finish()
    for value in 0..<1_000 { #expect(await slow.next() == value) }
    #expect(await slow.next() == nil)
    #expect(await fast.next() == nil)
  }

  @Test("BR-14: breaking out of the loop cancels the source subscription")
  func breaking() async {
    let subject = Subject<Int, Never>(replaying: 3)
    for value in 1...3 { subject.send(value) }
    for await value in subject.values(buffering: .unbounded) where value == 2 { break }
    #expect(subject.observerCount == 0)
  }

  @Test("BR-14: dropping the iterator cancels the source subscription and releases what was buffered")
  func dropping() async {
    let tracker = LifetimeTracker()
    let subject = Subject<LifetimeTracker.Object, Never>()
    do {
      var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
      for _ in 0..<3 { subject.send(tracker.make()) }
      _ = await iterator.next()
      #expect(subject.observerCount == 1)
    }
    #expect(subject.observerCount == 0)
    #expect(tracker.liveCount == 0)
  }

  @Test("BR-15: two iterators are separate subscriptions that each see every value")
  func twoIterators() async {
    let subject = Subject<Int, Never>()
    let values = subject.values(buffering: .unbounded)
    var first = values.makeAsyncIterator()
    var second = values.makeAsyncIterator()
    #expect(subject.observerCount == 2)
    subject.send(1)
    subject.send(2)
    subject.finish()
    #expect(await first.next() == 1)
    #expect(await first.next() == 2)
    #expect(await second.next() == 1)
    #expect(await first.next() == nil)
    #expect(await second.next() == 2)
    #expect(await second.next() == nil)
  }

  @Test("A copy of an iterator shares its subscription: a value goes to one of them, and nothing traps")
  func copiedIterator() async {
    let subject = Subject<Int, Never>()
    var first = subject.values(buffering: .unbounded).makeAsyncIterator()
    var second = first
    #expect(subject.observerCount == 1)
    subject.send(1)
    subject.send(2)
    subject.finish()
    #expect(await first.next() == 1)
    #expect(await second.next() == 2)
    #expect(await first.next() == nil)
    #expect(await second.next() == nil)
  }

  @Test("Sent from a thread, read by a task: nothing is lost, order is kept, the end comes last")
  func acrossThreads() async {
    let subject = Subject<Int, Never>()
    let values = subject.values(buffering: .unbounded)
    var iterator = values.makeAsyncIterator()
    async let sender: Void = onThread {
      for value in 0..<20_000 { subject.send(value) }
      subject.finish()
    }
    var next = 0
    while let value = await iterator.next() {
      if value != next { Issue.record("\(value) instead of \(next)") }
      next += 1
    }
    #expect(next == 20_000)
    await sender
  }
}

extension Result where Failure == TestError {
  fileprivate init(_ body: () async throws(TestError) -> Success) async {
    do throws(TestError) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
