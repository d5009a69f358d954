import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("An AsyncSequence as a source")
struct AsyncSourceTests {
  @Test("BR-17: values in order, then the completion")
  func inOrder() async {
    let source = Observable(CountedSequence(limit: 200))
    var seen: [Int] = []
    for await value in source.values(buffering: .unbounded) { seen.append(value) }
    #expect(seen == Array(0..<200))
  }

  @Test("BR-17: values in order, then its own typed error")
  func failure() async {
    let source = Observable(FailingSequence(elements: [1, 2], error: TestError(code: 3)))
    var seen: [Int] = []
    do {
      for try await value in source.values(buffering: .unbounded) { seen.append(value) }
      Issue.record("The failure was lost")
    } catch {
      #expect(error.code == 3)
    }
    #expect(seen == [1, 2])
  }

  @Test("BR-17: the reading task does not run on the caller's actor")
  func notOnTheCallersActor() async {
    let caller = Caller()
    let ended = Latch()
    let subscription = await caller.subscribe { ended.open() }
    await ended.wait()
    #expect(caller.executor.jobs.value == 1, "the subscription, and nothing else, ran on the actor")
    subscription.cancel()
  }

  @Test("BR-18: cancelling the subscription cancels the reading task, and nothing is heard afterwards")
  func cancel() async {
    let sequence = Unending(after: 1)
    let (values, ends) = (Log<Int>(), Counter())
    let subscription = Observable(sequence).subscribe {
      values.note($0)
    } onEnd: { _ in
      ends.increment()
    }
    await sequence.isAwaited.wait()
    subscription.cancel()
    await sequence.isCancelled.wait()
    for _ in 0..<100 { await Task.yield() }
    #expect(values.entries == [1])
    #expect(ends.value == 0)
  }

  @Test("BR-18: a subscription that is over takes no element more: what it has not asked for stays in the sequence")
  func takesNoMore() async {
    for ends in [true, false] {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let ended = Latch()
      let source = Observable(WatchedSequence(stream: stream, ended: ended))
      let token = Box<Subscription>()
      token.value = (ends ? source.prefix(1) : source).subscribe { _ in token.value?.cancel() }
      for value in 1...6 { continuation.yield(value) }
      continuation.finish()
      await ended.wait()
      var left: [Int] = []
      for await value in stream { left.append(value) }
      #expect(left == [2, 3, 4, 5, 6])
    }
  }

  @Test("BR-18: a CancellationError that the sequence throws by itself is a failure")
  func ownCancellationError() async {
    let source = Observable(FailingSequence(elements: [1], error: CancellationError()))
    var seen = 0
    do {
      for try await _ in source.values(buffering: .unbounded) { seen += 1 }
      Issue.record("The failure was lost")
    } catch {
      let typed: CancellationError = error
      _ = typed
    }
    #expect(seen == 1)
  }

  @Test("Each subscription reads the sequence for itself")
  func eachItsOwn() async {
    let sequence = CountedSequence(limit: 3)
    let source = Observable(sequence)
    #expect(sequence.reads.value == 0)
    for _ in 0..<2 {
      var seen: [Int] = []
      for await value in source.values(buffering: .unbounded) { seen.append(value) }
      #expect(seen == [0, 1, 2])
    }
    #expect(sequence.reads.value == 8)
  }

  @Test("Backpressure gets through every operator: the source never waits for ever", arguments: Operator.all)
  func throughEveryOperator(_ subjectOfTest: Operator) async {
    let source = Observable(CountedSequence(limit: 50)).setFailureType(to: TestError.self)
    let log = Log<Int>()
    do {
      for try await value in subjectOfTest.apply(to: source).values(buffering: .unbounded) {
        log.note(value)
      }
    } catch {
      Issue.record(error)
    }
    #expect(log.entries == Array(0..<50))
  }

  @Test("Backpressure gets through a prefix that ends, a switch that moves on, and a merge that is cancelled")
  func throughEnds() async {
    var firsts: [Int] = []
    for await value in Observable(CountedSequence(limit: .max)).prefix(3).values(buffering: .unbounded) {
      firsts.append(value)
    }
    #expect(firsts == [0, 1, 2])

    let outer = Subject<Observable<Int, Never>, Never>()
    var iterator = outer.switchToLatest().values(buffering: .unbounded).makeAsyncIterator()
    outer.send(Observable(CountedSequence(limit: .max)))
    #expect(await iterator.next() == 0)
    outer.send(Observable([-1]))
    while let value = await iterator.next(), value != -1 {}
    outer.finish()
    #expect(await iterator.next() == nil)
  }

  @Test("A sequence that ignores cancellation does not keep what the observer captured")
  func ignoresCancellation() async {
    let tracker = LifetimeTracker()
    let sequence = StubbornSequence()
    let subscription = Observable(sequence).subscribe { [object = tracker.make()] _ in _ = object }
    await sequence.asked.wait()
    subscription.cancel()
    #expect(tracker.liveCount == 0)
    sequence.answer.open()
  }
}

/// A stream that tells when it is read no further.
private struct WatchedSequence: AsyncSequence, Sendable {
  final class End: Sendable {
    let latch: Latch

    init(_ latch: Latch) { self.latch = latch }

    deinit { latch.open() }
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<Int>.AsyncIterator
    let end: End

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? { await base.next(isolation: actor) }

    mutating func next() async -> Int? { await next(isolation: nil) }
  }

  typealias Failure = Never

  let stream: AsyncStream<Int>
  let ended: Latch

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator(), end: End(ended)) }
}

/// A sequence that waits for its answer whether or not the task is cancelled.
private struct StubbornSequence: AsyncSequence, Sendable {
  let asked = Latch()
  let answer = Latch()

  struct AsyncIterator: AsyncIteratorProtocol {
    let sequence: StubbornSequence

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      sequence.asked.open()
      await sequence.answer.wait()
      return nil
    }

    mutating func next() async -> Int? { await next(isolation: nil) }
  }

  typealias Failure = Never

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }
}

/// An actor that subscribes, and counts what runs on it.
private actor Caller {
  final class Executor: SerialExecutor {
    let jobs = Counter()

    func enqueue(_ job: consuming ExecutorJob) {
      jobs.increment()
      // One task at a time uses this actor, so it may run on the thread that brings it.
      UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  nonisolated let executor = Executor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func subscribe(onEnd: @escaping @Sendable () -> Void) -> Subscription {
    Observable(CountedSequence(limit: 10)).subscribe({ _ in }, onEnd: { _ in onEnd() })
  }
}
