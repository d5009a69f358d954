import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Asynchronous sources", .endsInTime)
struct BackpressureTests {
  /// Counts up, and notes how far it was read ahead of what had been handled.
  private struct Counting: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
      let sequence: Counting
      var index = 0

      mutating func next() async -> Int? {
        sequence.reads.increment()
        // Element number `index` is asked for: all before it should have been handled.
        sequence.lead.see(index - sequence.handled.value)
        guard index < sequence.limit else { return nil }
        defer { index += 1 }
        return index
      }
    }

    let limit: Int
    let reads = Counter()
    let handled = Counter()
    let lead = Peak()

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }
  }

  private final class Peak: Sendable {
    private let storage = Lock(0)

    var value: Int { storage.withLock { $0 } }

    func see(_ value: Int) {
      storage.withLock { $0 = max($0, value) }
    }
  }

  @Test("Rule 12: through the aggregator, too, a sequence is not read faster than its values are handled")
  func notReadAhead() async {
    let aggregator = Aggregator(initial: Journal())
    let sequence = Counting(limit: 500)
    let done = Latch()
    // Subscribed last, so everyone else has seen the event when it is counted as handled.
    let events = aggregator.events.subscribe { event in
      if event >= 0 { sequence.handled.increment() }
      if event == 499 { done.open() }
    }
    defer { events.cancel() }

    aggregator.add(Observable(sequence))
    // Other deliveries get in the way, so that the values must wait in line.
    for _ in 0..<2000 { aggregator.send(-1) }
    await done.wait()

    #expect(sequence.lead.value == 0)
    #expect(aggregator.snapshot.entries.filter { $0 >= 0 } == Array(0..<500))
  }

  @Test("Rule 12: while a delivery is held, the sequence waits with its value in line")
  func heldDelivery() async {
    let aggregator = Aggregator(initial: Journal())
    let sequence = Counting(limit: 50)
    let done = Latch()
    let events = aggregator.events.subscribe { event in
      if event >= 0 { sequence.handled.increment() }
      if event == 49 { done.open() }
      guard event == -1 else { return }
      aggregator.add(Observable(sequence))
      // Holds the delivery while the source runs, for a bounded time: long enough for a task to read ahead.
      for _ in 0..<200 where sequence.reads.value < 3 { Threads.run({}) }
    }
    defer { events.cancel() }

    aggregator.send(-1)
    await done.wait()

    #expect(sequence.lead.value == 0)
  }

  @Test("A sequence that throws is a failing source; removing one cancels its task")
  func failureAndRemoval() async {
    let aggregator = Aggregator(initial: Journal())
    let (failing, failingInput) = AsyncThrowingStream<Int, any Error>.makeStream()
    let endless = Unending<Int>()
    let failed = Latch()
    let failures = Recorder(aggregator.sourceFailures) { event in
      if case .value = event { failed.open() }
    }
    aggregator.add(Observable(failing))
    let source = aggregator.add(Observable(endless))

    failingInput.yield(1)
    failingInput.finish(throwing: TestError())
    await failed.wait()
    #expect(aggregator.snapshot.entries == [1])
    #expect(failures.values.first?.error is TestError)

    await endless.isAwaited.wait()
    aggregator.remove(source: source)
    await endless.isCancelled.wait()
    #expect(aggregator.snapshot.entries == [1])
  }

  @Test("AGG-12: releasing the aggregator cancels the tasks of its sources")
  func releaseCancelsTasks() async {
    let endless = Unending<Int>()
    let holder = Box(Aggregator(initial: Journal(), sources: Observable(endless)))
    await endless.isAwaited.wait()

    holder.take()

    await endless.isCancelled.wait()
  }
}
