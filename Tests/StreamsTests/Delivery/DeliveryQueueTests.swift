import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// A queue that notes what it delivers, and then does what a test wants.
private final class Line: Sendable {
  struct Shell: ~Copyable, DeliveryShell {
    let delivered: Log<Int>
    let onValue: Box<@Sendable (Int) -> Void>

    mutating func deliver(_ value: Int, _ access: QueueAccess) {
      delivered.note(value)
      onValue.value?(value)
    }
  }

  let queue: DeliveryQueue<Shell>
  let delivered = Log<Int>()
  private let onValue = Box<@Sendable (Int) -> Void>()

  init(
    buffering policy: BufferingPolicy = .unbounded,
    onValue: @escaping @Sendable (Line, Int) -> Void = { _, _ in }
  ) {
    queue = DeliveryQueue(Shell(delivered: delivered, onValue: self.onValue), buffering: policy)
    self.onValue.value = { [unowned self] value in onValue(self, value) }
  }

  var isOpen: Bool { queue.isOpen }
  var isIdle: Bool { queue.word.load(ordering: .acquiring) == 0 }

  @discardableResult
  func submit(_ value: Int) -> Bool { queue.send(value) }

  func run(_ job: @escaping @Sendable () -> Void) { queue.run { _, _ in job() } }

  @discardableResult
  func close(_ last: @escaping @Sendable () -> Void) -> Bool { queue.close { _, _ in last() } }

  func runWithoutDelivering(_ change: @escaping @Sendable () -> Void) {
    queue.runWithoutDelivering { _, _ in change() }
  }
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

  @Test("Without delivering, on an idle queue, open or closed: the change is made at once", arguments: [false, true])
  func withoutDeliveringIdle(closes: Bool) {
    let line = Line()
    if closes { line.close {} }
    line.runWithoutDelivering { line.delivered.note(-1) }
    #expect(line.delivered.entries == [-1])
    #expect(line.isOpen != closes)
    #expect(line.submit(1) != closes)
  }

  @Test("Without delivering, on an owned queue: the change waits in line")
  func withoutDeliveringOwned() {
    let line = Line { line, value in
      guard value == 1 else { return }
      line.submit(2)
      line.runWithoutDelivering { line.delivered.note(-1) }
      #expect(line.delivered.entries == [1])
      line.submit(3)
    }
    line.submit(1)
    #expect(line.delivered.entries == [1, 2, -1, 3])
  }

  @Test("What runs without delivering never delivers for others, also when another thread sends meanwhile")
  func withoutDeliveringAgainstSubmit() async {
    for _ in 0..<rounds(30_000) {
      let isReady = Flag()
      let wrongThread = Counter()
      let changes = Counter()
      let me = Box<UInt>()
      let line = Line { _, _ in if CurrentThread.id == me.value { wrongThread.increment() } }
      await Threads.run(
        {
          _ = isReady.wait()
          for value in 0..<100 { line.submit(value) }
        },
        {
          me.value = CurrentThread.id
          isReady.raise()
          for _ in 0..<100 { line.runWithoutDelivering { changes.increment() } }
        }
      )
      // The rest of the line may have been handed over.
      #expect(await eventually { line.isIdle })
      #expect(wrongThread.value == 0)
      #expect(changes.value == 100, "each change is made exactly once")
      #expect(line.delivered.entries == Array(0..<100))
    }
  }

  @Test("Several values are delivered with nothing between them, and what they cause comes behind")
  func several() {
    let line = Line { line, value in if value < 10 { line.submit(value + 10) } }
    #expect(line.queue.send(contentsOf: [1, 2, 3]))
    #expect(line.delivered.entries == [1, 2, 3, 11, 12, 13])
    #expect(line.isIdle)
    line.run {
      #expect(line.queue.send(contentsOf: [4, 5]))
      line.submit(20)
      #expect(line.queue.pendingCount == 3)
    }
    #expect(line.delivered.entries.suffix(5) == [4, 5, 20, 14, 15])
    #expect(line.queue.send(contentsOf: []))
    line.close {}
    #expect(!line.queue.send(contentsOf: [6]))
    #expect(!line.queue.send(contentsOf: []))
  }

  @Test("pendingCount tells how much waits, from any thread")
  func pendingCount() {
    let line = Line { line, value in
      guard value == 1 else { return #expect(line.queue.pendingCount == 4 - value) }
      #expect(line.queue.pendingCount == 0)
      for value in 2...4 { line.submit(value) }
      #expect(line.queue.pendingCount == 3)
    }
    line.submit(1)
    #expect(line.delivered.entries == [1, 2, 3, 4])
    #expect(line.queue.pendingCount == 0)
  }

  @Test(
    "A bound on the line drops as its policy says, counts it, and never drops a job",
    arguments: [
      (BufferingPolicy.newest(2), [1, 4, -1, 5], [true, true, true, true]),
      (.oldest(2), [1, 2, 3, -1], [true, true, false, false]),
      (.newest(0), [1, -1], [false, false, false, false]),
      (.oldest(-1), [1, -1], [false, false, false, false]),
    ]
  )
  func bound(_ policy: BufferingPolicy, _ delivered: [Int], _ accepted: [Bool]) {
    let answers = Log<Bool>()
    let line = Line(buffering: policy) { line, value in
      guard value == 1 else { return }
      for value in 2...4 { answers.note(line.submit(value)) }
      line.run { line.delivered.note(-1) }
      answers.note(line.submit(5))
    }
    line.submit(1)
    #expect(line.delivered.entries == delivered)
    #expect(answers.entries == accepted)
    #expect(line.queue.droppedCount == 5 - delivered.count + 1)
    // A queue that is idle drops nothing.
    #expect(line.submit(6))
    #expect(line.delivered.last == 6)
  }

  @Test(
    "Several values are accepted if the bound admits one of them",
    arguments: [
      (BufferingPolicy.oldest(1), [1, 2], [true, false, true]),
      (.newest(1), [1, 5], [true, true, true]),
      (.newest(0), [1], [false, false, true]),
    ]
  )
  func boundOfSeveral(_ policy: BufferingPolicy, _ delivered: [Int], _ accepted: [Bool]) {
    let answers = Log<Bool>()
    let line = Line(buffering: policy) { line, value in
      guard value == 1 else { return }
      for values in [[2, 3], [4, 5], []] { answers.note(line.queue.send(contentsOf: values)) }
    }
    line.submit(1)
    #expect(line.delivered.entries == delivered)
    #expect(answers.entries == accepted)
    #expect(line.queue.droppedCount == 5 - delivered.count)
  }

  @Test("A bound counts all that waits, also what the owner is about to deliver")
  func boundOfAll() {
    let longest = Counter()
    let line = Line(buffering: .newest(2)) { line, value in
      if value == 0 { for value in 1...2 { line.submit(value) } }
      if value == 1 { for value in 3...6 { line.submit(value) } }
      if line.queue.pendingCount > 2 { longest.increment() }
    }
    line.submit(0)
    #expect(line.delivered.entries == [0, 1, 5, 6])
    #expect(line.queue.droppedCount == 3)
    #expect(longest.value == 0)
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
    struct Shell: ~Copyable, DeliveryShell {
      let send: Box<@Sendable () -> Void>

      mutating func deliver(_ object: LifetimeTracker.Object, _ access: QueueAccess) { send.value?() }
    }

    let burst = Counter()
    private let onObject = Box<@Sendable () -> Void>()
    private let queue: DeliveryQueue<Shell>

    init(_ tracker: LifetimeTracker) {
      queue = DeliveryQueue(Shell(send: onObject))
      onObject.value = { [unowned self] in
        while burst.value > 0 {
          burst.decrement()
          send(tracker.make())
        }
      }
    }

    func send(_ object: LifetimeTracker.Object) {
      _ = queue.send(object)
    }
  }
}
