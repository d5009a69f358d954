import RASPPrimitives
import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// A queue whose two numbers other threads copy. Each delivery raises both, one after the other, so a copy that holds
/// two different numbers was made in the middle of a change.
private final class SharedPair: Sendable {
  struct Pair: Equatable, Sendable {
    var first = 0
    var second = 0
    var isWhole: Bool { first == second }
  }

  /// Safe to share: that is what the tests test.
  struct Memory: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Pair>
  }

  struct Shell: ~Copyable, DeliveryShell {
    static var isShared: Bool { true }

    let memory: Memory
    let isChanging: Flag2
    let duringChange: Box<@Sendable (Int) -> Void>
    let whileLent: Box<@Sendable (Int) -> Void>

    mutating func deliver(_ value: Int, _ access: QueueAccess) {
      access.change {
        _ = access.changed(UnsafePointer(memory.pointer))
        isChanging.set(true)
        memory.pointer.pointee.first += 1
        duringChange.value?(value)
        memory.pointer.pointee.second += 1
        isChanging.set(false)
      }
      whileLent.value?(value)
    }
  }

  final class Flag2: Sendable {
    private let flag = Lock(false)
    var isSet: Bool { flag.withLock { $0 } }
    func set(_ value: Bool) { flag.exchange(with: value) }
  }

  let memory: Memory
  let isChanging = Flag2()
  let duringChange = Box<@Sendable (Int) -> Void>()
  let whileLent = Box<@Sendable (Int) -> Void>()
  let queue: DeliveryQueue<Shell>

  init(buffering policy: BufferingPolicy = .unbounded) {
    memory = Memory(pointer: .allocate(capacity: 1))
    memory.pointer.initialize(to: Pair())
    queue = DeliveryQueue(
      Shell(memory: memory, isChanging: isChanging, duringChange: duringChange, whileLent: whileLent),
      buffering: policy
    )
  }

  deinit {
    memory.pointer.deallocate()
  }

  func read() -> Pair? {
    queue.read(unless: { isChanging.isSet }, { memory.pointer.pointee })
  }

  /// Copies slowly: an owner that does not wait changes what is being copied.
  func readSlowly(_ begun: Flag) -> Pair? {
    queue.read(unless: { isChanging.isSet }) {
      let first = memory.pointer.pointee.first
      begun.raise()
      for _ in 0..<2_000 { CurrentThread.pause(64) }
      return Pair(first: first, second: memory.pointer.pointee.second)
    }
  }

  /// What is there when everything has been delivered.
  func result() async -> Pair {
    await withCheckedContinuation { continuation in
      let memory = memory
      queue.run { _, _ in continuation.resume(returning: memory.pointer.pointee) }
    }
  }
}

@Suite("DeliveryQueue: what it shares")
struct SharedQueueTests {
  @Test("A reader that copies while the queue is lent holds up the next change, also if the owner could not leave")
  func readerAgainstDrain() async {
    for _ in 0..<rounds(2_000) {
      let pair = SharedPair()
      let begun = Flag()
      let lent = Flag()
      let seen = Box<SharedPair.Pair>()
      pair.whileLent.value = { value in
        guard value == 0 else { return }
        lent.raise()
        _ = begun.wait()
        _ = pair.queue.send(1)
      }
      await Threads.run(
        { _ = pair.queue.send(0) },
        {
          _ = lent.wait()
          seen.value = pair.readSlowly(begun)
        }
      )
      #expect(seen.value?.isWhole == true)
      pair.whileLent.take()
    }
  }

  @Test("Several values that find a reader at an idle queue wait for it")
  func readerAgainstSeveral() async {
    for _ in 0..<rounds(2_000) {
      let pair = SharedPair()
      let begun = Flag()
      let seen = Box<SharedPair.Pair>()
      await Threads.run(
        { seen.value = pair.readSlowly(begun) },
        {
          _ = begun.wait()
          #expect(pair.queue.send(contentsOf: [1, 2, 3]))
        }
      )
      #expect(seen.value?.isWhole == true)
    }
  }

  @Test("A reader at an idle queue is no reason to drop anything of several values")
  func boundAgainstReader() async {
    for policy in [BufferingPolicy.newest(1), .oldest(1), .newest(0)] {
      let pair = SharedPair(buffering: policy)
      let begun = Flag()
      await Threads.run(
        { _ = pair.readSlowly(begun) },
        {
          _ = begun.wait()
          #expect(pair.queue.send(contentsOf: [1, 2, 3]))
        }
      )
      #expect(pair.queue.droppedCount == 0)
      #expect(pair.read() == SharedPair.Pair(first: 3, second: 3))
    }
  }

  @Test("The owner reads what it has changed while it is lent, and nothing in the middle of a change")
  func ownReads() {
    let pair = SharedPair()
    let during = Log<SharedPair.Pair?>()
    let lent = Log<SharedPair.Pair?>()
    pair.duringChange.value = { [unowned pair] _ in during.note(pair.read()) }
    pair.whileLent.value = { [unowned pair] _ in lent.note(pair.read()) }
    _ = pair.queue.send(1)
    pair.queue.run { [unowned pair] _, _ in lent.note(pair.read()) }
    #expect(during.entries == [nil])
    #expect(lent.entries == [.init(first: 1, second: 1), .init(first: 1, second: 1)])
    #expect(pair.read() == .init(first: 1, second: 1))
  }

  @Test("A job has what is shared lent, however it comes to run: other threads read meanwhile")
  func jobs() {
    let pair = SharedPair()
    let read = Log<SharedPair.Pair?>()
    let readElsewhere: @Sendable () -> Void = { [unowned pair] in Threads.run({ read.note(pair.read()) }) }
    _ = pair.queue.send(1)
    pair.queue.run { _, _ in readElsewhere() }
    pair.queue.run { _, _ in
      readElsewhere()
    } orLater: {
      { _, _ in }
    }
    pair.queue.run(on: pair.queue.address) { _, _ in readElsewhere() }
    pair.queue.run { [unowned pair] _, _ in
      pair.queue.run { _, _ in readElsewhere() }
      pair.queue.run { _, _ in
      } orLater: {
        { _, _ in readElsewhere() }
      }
      pair.queue.run(on: pair.queue.address) { _, _ in readElsewhere() }
    }
    _ = pair.queue.close { _, _ in readElsewhere() }
    #expect(read.entries == Array(repeating: .init(first: 1, second: 1), count: 7))
  }

  #if DEBUG
    @Test("What is lent and is changed traps in a debug build")
    func unclaimed() async {
      await #expect(processExitsWith: .failure) {
        let pair = SharedPair()
        pair.queue.run { shell, access in _ = access.changed(UnsafePointer(shell.memory.pointer)) }
      }
    }
  #endif

  @Test("A reader is not held up by user code that runs while the queue is lent")
  func lentUserCode() async {
    let pair = SharedPair()
    let isLent = Flag()
    let hasRead = Flag()
    pair.whileLent.value = { value in
      isLent.raise()
      // The first value, and one that has waited in line.
      #expect(hasRead.wait())
    }
    let reads = Log<SharedPair.Pair?>()
    await Threads.run(
      { _ = pair.queue.send(contentsOf: [1, 2]) },
      {
        _ = isLent.wait()
        reads.note(pair.read())
        hasRead.raise()
      }
    )
    #expect(reads.entries == [.init(first: 1, second: 1)])
    pair.whileLent.take()
  }

  @Test("A job that runs user code behind a delivery does not hold up readers, also one that runs without delivering")
  func withoutDeliveringInLine() async {
    let pair = SharedPair()
    let isInside = Flag()
    let hasRead = Flag()
    pair.whileLent.value = { _ in
      pair.queue.runWithoutDelivering { _, _ in
        isInside.raise()
        #expect(hasRead.wait())
      }
    }
    await Threads.run(
      { _ = pair.queue.send(1) },
      {
        _ = isInside.wait()
        #expect(pair.read() == .init(first: 1, second: 1))
        hasRead.raise()
      }
    )
    pair.whileLent.take()
  }

  @Test("Readers and senders at random: no torn copy, none that goes back, an exact count", arguments: [1, 2])
  func storm(senders: Int) async {
    let pair = SharedPair()
    let each = rounds(300_000)
    let torn = Counter()
    let back = Counter()
    let running = Counter()
    running.increment(by: senders)
    await Threads.run(count: senders + 1) { thread in
      if thread < senders {
        for index in 0..<each {
          switch index % 16 {
          case 3: _ = pair.queue.send(contentsOf: [index, index])
          case 7: pair.queue.runWithoutDelivering { _, _ in }
          case 11: pair.queue.run { _, _ in }
          default: _ = pair.queue.send(index)
          }
        }
        running.decrement()
      } else {
        var newest = 0
        while running.value > 0 {
          guard let copy = pair.read() else {
            torn.increment()
            continue
          }
          if !copy.isWhole { torn.increment() }
          if copy.first < newest { back.increment() }
          newest = copy.first
        }
      }
    }
    let sent = (0..<each).reduce(0) { sum, index in
      switch index % 16 {
      case 3: sum + 2
      case 7, 11: sum
      default: sum + 1
      }
    }
    #expect(torn.value == 0)
    #expect(back.value == 0)
    #expect(await pair.result() == .init(first: sent * senders, second: sent * senders))
  }
}
