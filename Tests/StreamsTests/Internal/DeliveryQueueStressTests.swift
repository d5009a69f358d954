import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("DeliveryQueue under load")
struct DeliveryQueueStressTests {
  /// Everything here is touched by the deliveries alone, so the sanitizer sees any that overlap.
  private final class Line: Sendable {
    let queue = DeliveryQueue<Int>()
    let inside = Counter()
    let overlaps = Counter()
    let jobs = Counter()
    let newest = Confined<[Int]>([-1, -1, -1])
    let count = Confined(0)
    let disorder = Confined(0)

    var isIdle: Bool { queue.word.load(ordering: .acquiring) == 0 }

    func deliver(_ value: Int) {
      if inside.increment() != 1 { overlaps.increment() }
      let thread = value & 3
      if newest.value[thread] >= value >> 2 { disorder.value += 1 }
      newest.value[thread] = value >> 2
      count.value += 1
      inside.decrement()
    }

    func submit(_ index: Int, from thread: Int) -> Bool {
      queue.submit(index << 2 | thread) { deliver($0) }
    }

    func runJob() {
      queue.run {
        if self.inside.increment() != 1 { self.overlaps.increment() }
        self.jobs.increment()
        self.count.value += 1
        self.inside.decrement()
      } deliver: {
        deliver($0)
      }
    }
  }

  @Test(
    "Two threads: an exact count, first in first out for each thread, never overlapping",
    arguments: [2, 3]
  )
  func values(threads: Int) {
    let line = Line()
    let each = 30_000
    Threads.run(count: threads) { thread in
      for index in 0..<each {
        if !line.submit(index, from: thread) { Issue.record("Refused by an open queue") }
        if index.isMultiple(of: 16) { line.runJob() }
      }
    }
    let jobs = (each + 15) / 16 * threads
    #expect(line.overlaps.value == 0)
    #expect(line.disorder.value == 0)
    #expect(line.jobs.value == jobs)
    #expect(line.count.value == each * threads + jobs)
    #expect(line.isIdle)
  }

  @Test("Closing at any moment: what was accepted is delivered before the last job, nothing after it")
  func closing() {
    for _ in 0..<1_000 {
      let line = Line()
      let accepted = Counter()
      let countAtEnd = Box<Int>()
      let closes = Counter()
      Threads.run(
        { for index in 0..<20 where line.submit(index, from: 0) { accepted.increment() } },
        { for index in 0..<20 where line.submit(index, from: 1) { accepted.increment() } },
        {
          let closed = line.queue.close(
            { countAtEnd.value = line.count.value },
            deliver: { line.deliver($0) }
          )
          if closed { closes.increment() }
        }
      )
      #expect(countAtEnd.value == accepted.value)
      #expect(line.count.value == accepted.value)
      #expect(closes.value == 1)
    }
  }

  @Test("maintain in the middle of it never overlaps a delivery")
  func maintain() {
    let line = Line()
    let maintained = Counter()
    Threads.run(
      { for index in 0..<15_000 { _ = line.submit(index, from: 0) } },
      {
        for _ in 0..<5_000 {
          let body = line.queue.maintain {
            line.count.value += 1
            return true
          } orLater: {
            line.count.value += 1
            maintained.increment()
          }
          if body == true { maintained.increment() }
        }
      }
    )
    #expect(maintained.value == 5_000)
    #expect(line.count.value == 20_000)
    #expect(line.disorder.value == 0)
  }
}
