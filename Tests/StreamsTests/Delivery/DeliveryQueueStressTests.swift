import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("DeliveryQueue under load")
struct DeliveryQueueStressTests {
  /// Everything here is touched by the deliveries alone, so the sanitizer sees any that overlap.
  private struct Shell: ~Copyable, DeliveryShell {
    let overlaps: Counter
    var isInside = false
    var newest = [-1, -1, -1]
    var count = 0
    var disorder = 0
    var jobs = 0

    mutating func deliver(_ value: Int, _ access: QueueAccess) {
      if isInside { overlaps.increment() }
      isInside = true
      let thread = value & 3
      if newest[thread] >= value >> 2 { disorder += 1 }
      newest[thread] = value >> 2
      count += 1
      isInside = false
    }
  }

  private final class Line: Sendable {
    let overlaps = Counter()
    let queue: DeliveryQueue<Shell>

    init() {
      queue = DeliveryQueue(Shell(overlaps: overlaps))
    }

    func submit(_ index: Int, from thread: Int) -> Bool { queue.send(index << 2 | thread) }

    func runJob() {
      queue.run { shell, _ in
        if shell.isInside { self.overlaps.increment() }
        shell.isInside = true
        shell.jobs += 1
        shell.count += 1
        shell.isInside = false
      }
    }

    /// What the shell has seen when nothing waits any more: the rest of a line may have been handed over.
    func result<Result: Sendable>(_ read: @escaping @Sendable (inout Shell) -> Result) async -> Result {
      await withCheckedContinuation { continuation in
        queue.run { shell, _ in continuation.resume(returning: read(&shell)) }
      }
    }
  }

  @Test(
    "Two threads: an exact count, first in first out for each thread, never overlapping",
    arguments: [2, 3]
  )
  func values(threads: Int) async {
    let line = Line()
    let each = rounds(3_000_000)
    await Threads.run(count: threads) { thread in
      for index in 0..<each {
        if !line.submit(index, from: thread) { Issue.record("Refused by an open queue") }
        if index.isMultiple(of: 16) { line.runJob() }
      }
    }
    let jobs = (each + 15) / 16 * threads
    #expect(await line.result { $0.jobs } == jobs)
    #expect(await line.result { $0.count } == each * threads + jobs)
    #expect(await line.result { $0.disorder } == 0)
    #expect(line.overlaps.value == 0)
  }

  @Test("Closing at any moment: what was accepted is delivered before the last job, nothing after it")
  func closing() async {
    for _ in 0..<rounds(100_000) {
      let line = Line()
      let accepted = Counter()
      let countAtEnd = Box<Int>()
      let closes = Counter()
      await Threads.run(
        { for index in 0..<20 where line.submit(index, from: 0) { accepted.increment() } },
        { for index in 0..<20 where line.submit(index, from: 1) { accepted.increment() } },
        { if line.queue.close({ shell, _ in countAtEnd.value = shell.count }) { closes.increment() } }
      )
      #expect(await line.result { $0.count } == accepted.value)
      #expect(countAtEnd.value == accepted.value)
      #expect(closes.value == 1)
    }
  }

  @Test("What runs without delivering, in the middle of it, never overlaps a delivery")
  func withoutDelivering() async {
    let line = Line()
    let values = rounds(1_500_000)
    let changes = rounds(500_000)
    await Threads.run(
      { for index in 0..<values { _ = line.submit(index, from: 0) } },
      { for _ in 0..<changes { line.queue.runWithoutDelivering { shell, _ in shell.count += 1 } } }
    )
    #expect(await line.result { $0.count } == values + changes)
    #expect(await line.result { $0.disorder } == 0)
  }
}

@Suite("Handing over")
struct HandingOverTests {
  /// Counts, for the call that is under way on each thread, what it delivers for other threads.
  private struct Shell: ~Copyable, DeliveryShell {
    let calls: Calls
    var count = 0

    mutating func deliver(_ sender: UInt, _ access: QueueAccess) {
      count += 1
      if sender != CurrentThread.id { calls.noteForeign() }
    }
  }

  private final class Calls: Sendable {
    private let foreign = Lock<[UInt: Int]>([:])

    func begin() { foreign.withLock { $0[CurrentThread.id] = 0 } }

    func noteForeign() {
      foreign.withLock { foreign in
        // The pool's own threads have begun no call.
        if let count = foreign[CurrentThread.id] { foreign[CurrentThread.id] = count + 1 }
      }
    }

    /// What this thread has delivered for others since it began its call.
    func end() -> Int { foreign.withLock { $0.removeValue(forKey: CurrentThread.id) ?? 0 } }
  }

  @Test(
    "No call delivers more than the limit for other threads, however many of them flood the queue",
    arguments: [2, 4]
  )
  func flood(threads: Int) async {
    let calls = Calls()
    let queue = DeliveryQueue(Shell(calls: calls))
    let worst = Lock(0)
    let each = rounds(500_000)
    await Threads.run(count: threads) { _ in
      for _ in 0..<each {
        calls.begin()
        _ = queue.send(CurrentThread.id)
        let foreign = calls.end()
        worst.withLock { $0 = max($0, foreign) }
      }
    }
    #expect(worst.withLock { $0 } <= DeliveryQueue<Shell>.foreignLimit)
    let count = await withCheckedContinuation { continuation in
      queue.run { shell, _ in continuation.resume(returning: shell.count) }
    }
    #expect(count == each * threads, "what was handed over is delivered")
    #expect(await eventually { queue.pendingCount == 0 })
  }

  @Test("A line that another thread has filled is handed over behind the limit, in order")
  func order() async {
    let line = Order()
    let limit = DeliveryQueue<Order.Shell>.foreignLimit
    await onThread {
      let held = Flag()
      let filled = Flag()
      line.held.value = {
        held.raise()
        _ = filled.wait()
      }
      Threads.run(
        { _ = line.queue.send(0) },
        {
          _ = held.wait()
          for value in 1...limit * 3 { _ = line.queue.send(value) }
          filled.raise()
        }
      )
    }
    #expect(await eventually { line.delivered.count == limit * 3 + 1 })
    #expect(line.delivered.entries.map(\.value) == Array(0...limit * 3))
    let owner = line.delivered.entries[0].thread
    #expect(line.delivered.entries.prefix(limit + 1).allSatisfy { $0.thread == owner })
    #expect(line.delivered.entries[limit + 1].thread != owner)
  }

  @Test("A thread that goes on to send after the hand-over comes to deliver itself, and does not depend on the pool")
  func takenBack() async {
    let takenBack = Counter()
    for _ in 0..<rounds(2_000) {
      let line = Order()
      let limit = DeliveryQueue<Order.Shell>.foreignLimit
      let count = limit + 50
      await onThread {
        let (held, filled) = (Flag(), Flag())
        line.held.value = {
          held.raise()
          _ = filled.wait()
        }
        let owner = Box<UInt>()
        Threads.run(
          {
            owner.value = CurrentThread.id
            _ = line.queue.send(0)
            // The rest of the line has been handed over. While no task delivers it, this call does.
            _ = line.queue.send(count + 1)
          },
          {
            _ = held.wait()
            for value in 1...count { _ = line.queue.send(value) }
            filled.raise()
          }
        )
        let (entries, thread) = (line.delivered.entries, owner.value)
        if entries.dropFirst(limit + 1).contains(where: { $0.thread == thread }) { takenBack.increment() }
      }
      let isComplete = await eventually { line.delivered.count == count + 2 }
      #expect(isComplete)
      #expect(line.delivered.entries.map(\.value) == Array(0...count + 1))
    }
    #expect(takenBack.value > 0)
  }

  @Test("A thread that sends faster than values are delivered comes to deliver them again after another thread has")
  func slowed() async {
    let line = Order()
    await onThread {
      let (held, filled) = (Flag(), Flag())
      line.held.value = {
        held.raise()
        _ = filled.wait()
      }
      // A delivery takes longer than a thread needs to put something in line.
      line.each.value = { for _ in 0..<20 { CurrentThread.spin() } }
      Threads.run(
        // It comes to deliver what the other thread sends, and hands the line over.
        { _ = line.queue.send(0) },
        {
          _ = held.wait()
          let sender = CurrentThread.id
          var sent = 0
          func send() -> Bool {
            sent += 1
            _ = line.queue.send(sent)
            return line.delivered.last.map { $0.value == sent && $0.thread == sender } ?? false
          }
          while sent < 5_000 { _ = send() }
          filled.raise()
          var inARow = 0
          while inARow < 100, sent < 500_000 { inARow = send() ? inARow + 1 : 0 }
          #expect(inARow == 100, "each call delivers its own value before it returns; after \(sent) values")
        }
      )
    }
    line.each.take()
  }

  @Test("A thread that is alone delivers everything itself")
  func alone() {
    let line = Order()
    let limit = DeliveryQueue<Order.Shell>.foreignLimit
    let sent = Counter()
    line.each.value = { if sent.increment() < limit * 4 { _ = line.queue.send(sent.value) } }
    _ = line.queue.send(0)
    #expect(line.delivered.count == limit * 4)
    #expect(line.delivered.entries.allSatisfy { $0.thread == CurrentThread.id })
    line.each.take()
  }

  private final class Order: Sendable {
    struct Delivered: Sendable {
      let value: Int
      let thread: UInt
    }

    struct Shell: ~Copyable, DeliveryShell {
      let delivered: Log<Delivered>
      let held: Box<@Sendable () -> Void>
      let each: Box<@Sendable () -> Void>

      mutating func deliver(_ value: Int, _ access: QueueAccess) {
        delivered.note(Delivered(value: value, thread: CurrentThread.id))
        held.take()?()
        each.value?()
      }
    }

    let delivered = Log<Delivered>()
    let held = Box<@Sendable () -> Void>()
    let each = Box<@Sendable () -> Void>()
    let queue: DeliveryQueue<Shell>

    init() {
      queue = DeliveryQueue(Shell(delivered: delivered, held: held, each: each))
    }
  }
}
