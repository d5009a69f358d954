import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("values: cancelling the reader")
struct ValuesCancellationTests {
  @Test("BR-03: cancelling in the middle of next() wakes it with nil and cancels the source subscription")
  func whileWaiting() async {
    for round in 0..<rounds(2_000) {
      let subject = Subject<Int, Never>()
      let task = Task { () -> (Int?, Int?, Int, Bool) in
        var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
        let first = await iterator.next()
        let count = subject.observerCount
        let second = await iterator.next()
        return (first, second, count, Task.isCancelled)
      }
      _ = await eventually { subject.observerCount == 1 }
      // Sometimes before it suspends, sometimes after.
      for _ in 0..<(round % 20) { await Task.yield() }
      task.cancel()
      let (first, second, count, isCancelled) = await task.value
      #expect(first == nil && second == nil && count == 0 && isCancelled)
    }
  }

  @MainActor
  @Test("BR-03: a reader that certainly waits is woken, and its subscription is torn down")
  func certainlyWaiting() async {
    let teardowns = Counter()
    let producer = Box<Producer<Int, Never>>()
    let stream = Observable<Int, Never> {
      producer.value = $0
      $0.onTermination { teardowns.increment() }
    }
    let reading = Flag()
    let woken = Flag()
    let task = Task { @MainActor () -> [Int] in
      var seen: [Int] = []
      var iterator = stream.values(buffering: .unbounded).makeAsyncIterator()
      reading.raise()
      while let value = await iterator.next() { seen.append(value) }
      woken.raise()
      seen.append(teardowns.value)
      return seen
    }
    // Both run on the main actor, so the flag is seen only when the reader has suspended.
    #expect(await eventually { reading.isRaised })
    task.cancel()
    #expect(teardowns.value == 1, "by the cancellation itself, before the reader runs again")
    #expect(producer.value?.send(5) == false)
    #expect(await eventually { woken.isRaised })
    if woken.isRaised { #expect(await task.value == [1]) }
  }

  @Test("BR-04: a task that is cancelled before next() gets nil and leaves no registration behind")
  func cancelledBefore() async {
    let subject = Subject<Int, Never>(initial: 1)
    let task = Task { () -> (Int?, Int) in
      _ = await eventually { Task.isCancelled }
      var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
      let value = await iterator.next()
      let count = subject.observerCount
      _ = await iterator.next()
      return (value, count)
    }
    task.cancel()
    let (value, count) = await task.value
    #expect(value == nil)
    #expect(count == 0)
  }

  @Test("What was buffered is released when the task is cancelled")
  func release() async {
    let tracker = LifetimeTracker()
    let subject = Subject<LifetimeTracker.Object, Never>()
    let task = Task { () -> Int in
      var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
      _ = await eventually { Task.isCancelled }
      for _ in 0..<5 { subject.send(tracker.make()) }
      let isEmpty = await iterator.next() == nil
      let live = tracker.liveCount
      _ = await iterator.next()
      return isEmpty ? live : -1
    }
    task.cancel()
    #expect(await task.value == 0)
  }

  @Test("Cancelling against sending against finishing: the reader is resumed exactly once, every time")
  func race() async {
    for round in 0..<rounds(1_500) {
      let subject = Subject<Int, TestError>()
      let task = Task { () -> Int in
        var count = 0
        do {
          for try await _ in subject.values(buffering: .unbounded) { count += 1 }
        } catch {
          count += 1_000
        }
        return count
      }
      _ = await eventually { subject.observerCount == 1 }
      await Threads.run(
        { for value in 0..<10 { subject.send(value) } },
        { if round.isMultiple(of: 2) { subject.finish() } else { subject.fail(TestError()) } },
        { task.cancel() }
      )
      let count = await task.value
      #expect((0...10).contains(count) || (1_000...1_010).contains(count))
      #expect(subject.observerCount == 0)
    }
  }

  @Test("Cancelling one reader leaves the others running")
  func others() async {
    let subject = Subject<Int, Never>()
    let values = subject.values(buffering: .unbounded)
    var survivor = values.makeAsyncIterator()
    let task = Task { for await _ in values {} }
    _ = await eventually { subject.observerCount == 2 }
    task.cancel()
    await task.value
    subject.send(1)
    #expect(await survivor.next() == 1)
    #expect(subject.observerCount == 1)
  }
}
