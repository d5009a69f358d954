import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// A queue that closures can hold.
private final class Line: Sendable {
  let queue = DeliveryQueue<Int>()
  let delivered = Log<Int>()
  private let onValue: @Sendable (Line, Int) -> Void

  init(onValue: @escaping @Sendable (Line, Int) -> Void = { _, _ in }) {
    self.onValue = onValue
  }

  func deliver(_ value: Int) {
    delivered.note(value)
    onValue(self, value)
  }

  var isOpen: Bool { queue.isOpen }
  var isIdle: Bool { queue.word.load(ordering: .acquiring) == 0 }

  @discardableResult
  func submit(_ value: Int) -> Bool { queue.submit(value) { deliver($0) } }

  func run(_ job: @escaping @Sendable () -> Void) { queue.run(job) { deliver($0) } }

  @discardableResult
  func close(_ last: @escaping @Sendable () -> Void) -> Bool { queue.close(last) { deliver($0) } }
}

@Suite("DeliveryQueue")
struct DeliveryQueueTests {
  @Test("Idle: a value is delivered before submit returns, a job before run returns")
  func idle() {
    let line = Line()
    #expect(line.submit(1))
    #expect(line.delivered.entries == [1])
    line.run { line.delivered.note(-1) }
    #expect(line.delivered.entries == [1, -1])
    #expect(line.isOpen)
    #expect(line.isIdle)
  }

  @Test("Owned: values and jobs wait in line, in one order, and the owner delivers them before it leaves")
  func queued() {
    let line = Line { line, value in
      guard value == 1 else { return }
      #expect(line.submit(2))
      line.run { line.delivered.note(-2) }
      #expect(line.submit(3))
      #expect(line.delivered.entries == [1], "nothing recurses")
    }
    line.submit(1)
    #expect(line.delivered.entries == [1, 2, -2, 3])
    #expect(line.isIdle)
    #expect(line.submit(4))
    #expect(line.delivered.last == 4)
  }

  @Test("A job owns the queue as a delivery does")
  func jobOwns() {
    let line = Line()
    line.run {
      line.submit(1)
      line.run { line.submit(2) }
      #expect(line.delivered.count == 0)
    }
    #expect(line.delivered.entries == [1, 2])
  }

  @Test("Closed: values are refused, a second close is refused, jobs still run")
  func closed() {
    let line = Line()
    #expect(line.close { line.delivered.note(-1) })
    #expect(!line.isOpen)
    #expect(!line.submit(1))
    #expect(!line.close { line.delivered.note(-2) })
    line.run { line.delivered.note(-3) }
    line.run { line.delivered.note(-4) }
    #expect(line.delivered.entries == [-1, -3, -4])
    #expect(!line.isOpen)
  }

  @Test("Closing while owned: the last job comes behind what was accepted; what comes later is refused")
  func closingInLine() {
    let line = Line { line, value in
      guard value == 1 else { return }
      #expect(line.submit(2))
      #expect(line.close { line.delivered.note(-1) })
      #expect(!line.isOpen)
      #expect(!line.submit(3))
      #expect(!line.close { line.delivered.note(-2) })
      line.run { line.delivered.note(-3) }
    }
    line.submit(1)
    #expect(line.delivered.entries == [1, 2, -1, -3])
    #expect(!line.submit(4))
  }

  @Test("Closing from inside the last job is refused, and submitting there, too")
  func closeInsideClose() {
    let line = Line()
    line.close {
      #expect(!line.close {})
      #expect(!line.submit(1))
      line.run { line.delivered.note(-1) }
      #expect(line.delivered.count == 0)
    }
    #expect(line.delivered.entries == [-1])
  }

  @Test(
    "maintain on an idle queue, open or closed: the body runs at once, and the queue is as before",
    arguments: [false, true]
  )
  func maintainIdle(closes: Bool) {
    let line = Line()
    if closes { line.close {} }
    let result = line.queue.maintain({ 7 }, orLater: { line.delivered.note(-1) })
    #expect(result == 7)
    #expect(line.delivered.count == 0)
    #expect(line.isOpen != closes)
    #expect(line.submit(1) != closes)
  }

  @Test("maintain on an owned queue puts the job in line and delivers for nobody")
  func maintainOwned() {
    let line = Line { line, value in
      guard value == 1 else { return }
      line.submit(2)
      let result = line.queue.maintain({ 7 }, orLater: { line.delivered.note(-1) })
      #expect(result == nil)
      #expect(line.delivered.entries == [1])
      line.submit(3)
    }
    line.submit(1)
    #expect(line.delivered.entries == [1, 2, -1, 3])
  }

  @Test("maintain never delivers on behalf of others, also when it is called while another thread submits")
  func maintainAgainstSubmit() {
    for _ in 0..<300 {
      let maintainer = Flag()
      let wrongThread = Counter()
      let line = Line { _, value in if value < 0 { wrongThread.increment() } }
      let maintenance = Counter()
      let me = Box<UInt>()
      let onMaintainer = Line { _, _ in if ThreadIdentity.current == me.value { wrongThread.increment() } }
      Threads.run(
        {
          _ = maintainer.wait()
          for value in 0..<100 { onMaintainer.submit(value) }
        },
        {
          me.value = ThreadIdentity.current
          maintainer.raise()
          for _ in 0..<100 {
            if onMaintainer.queue.maintain({ true }, orLater: { maintenance.increment() }) == true {
              maintenance.increment()
            }
          }
        }
      )
      #expect(wrongThread.value == 0)
      #expect(maintenance.value == 100, "each body or job runs exactly once")
      #expect(onMaintainer.delivered.entries == Array(0..<100))
      _ = line
    }
  }

  @Test("A hundred thousand reentrant submissions use constant stack")
  func constantStack() {
    let count = 100_000
    let line = Line { line, value in if value < count { line.submit(value + 1) } }
    line.submit(1)
    #expect(line.delivered.count == count)
    #expect(line.delivered.last == count)
  }

  @Test("A hundred thousand reentrant jobs use constant stack")
  func constantStackOfJobs() {
    let line = Line()
    let jobs = Counter()
    @Sendable func job() {
      if jobs.increment() < 100_000 { line.run { job() } }
    }
    line.run { job() }
    #expect(jobs.value == 100_000)
  }

  @Test("What was delivered is not kept in the line's storage")
  func release() {
    let tracker = LifetimeTracker()
    let queue = HeldQueue(tracker)
    for count in [5_000, 1, 0] {
      queue.burst.increment(by: count)
      queue.send(tracker.make())
      #expect(queue.burst.value == 0)
      #expect(tracker.liveCount == 0)
    }
  }

  /// The first delivery puts a burst in line.
  private final class HeldQueue: Sendable {
    let burst = Counter()
    private let queue = DeliveryQueue<LifetimeTracker.Object>()
    private let tracker: LifetimeTracker

    init(_ tracker: LifetimeTracker) {
      self.tracker = tracker
    }

    func send(_ object: LifetimeTracker.Object) {
      _ = queue.submit(object) { _ in
        while burst.value > 0 {
          burst.decrement()
          send(tracker.make())
        }
      }
    }
  }
}
