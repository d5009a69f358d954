import Synchronization

/// The queue behind the contract's rules 2, 3 and 4: one delivery at a time, in one order, without recursion.
///
/// Whoever finds the queue idle becomes its owner and delivers; whatever arrives meanwhile, from inside a callback or
/// from another thread, is put in line, and the owner delivers it before it leaves. Nobody ever waits for user code.
/// Subjects, merges, switches and aggregators are shells around this one piece.
///
/// An idle queue is entered and left by one compare-and-swap each. The lock and the line serve the contended or
/// reentrant case only. Once the line has grown, its storage is kept, so a steady state does not allocate.
///
/// Safe to share: `word` is atomic, `line` is behind the lock, and user code runs with neither held.
@usableFromInline
package struct DeliveryQueue<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  package typealias Job = @Sendable () -> Void

  /// What waits in line: a value, or a job that must run between two values.
  @usableFromInline
  enum Work: Sendable {
    case value(Value)
    case job(Job)
  }

  /// The line, and the empty storage that the owner swaps for it.
  @usableFromInline
  struct Line: Sendable {
    @usableFromInline var waiting: [Work] = []
    @usableFromInline var spare: [Work] = []

    @usableFromInline init() {}
  }

  @usableFromInline
  package enum Admission: Sendable {
    /// The queue was idle: the caller owns it now and must do the work itself, then leave.
    case entered
    /// The owner will do it.
    case queued
    /// The queue is closed.
    case refused
  }

  /// Bits of `word`. `waiting` is set and cleared under the lock only, so the lock's holder can rely on it.
  @usableFromInline static var idle: UInt8 { 0 }
  @usableFromInline static var owned: UInt8 { 1 }
  @usableFromInline static var waiting: UInt8 { 2 }
  @usableFromInline static var closed: UInt8 { 4 }

  @usableFromInline let word = Atomic<UInt8>(0)
  /// Apart from everything that is read on the way of a delivery: who puts something in line would slow it down.
  @usableFromInline let line = CachePadded(Lock(Line()))

  @inlinable
  package init() {}

  /// Whether values are still accepted.
  @inlinable
  package var isOpen: Bool { word.load(ordering: .acquiring) & Self.closed == 0 }

  /// Makes the caller the owner of an idle queue, who then does its work and calls ``leave()``.
  ///
  /// - Returns: `false` if the queue is owned or closed; what there is to deliver has to go through `submit` then.
  @inlinable
  @inline(__always)
  package func enter() -> Bool {
    // Looked at first: an exchange that fails takes the word away from the processor that delivers all the same.
    word.load(ordering: .relaxed) == Self.idle
      && word.compareExchange(expected: Self.idle, desired: Self.owned, ordering: .acquiring).exchanged
  }

  /// Gives up the queue.
  ///
  /// - Returns: `false` if there is a line; the caller is still the owner and must `drain` it.
  @inlinable
  @inline(__always)
  package func leave() -> Bool {
    word.compareExchange(expected: Self.owned, desired: Self.idle, ordering: .releasing).exchanged
  }

  /// Delivers a value now, or has the present owner deliver it; `false` once the queue is closed.
  ///
  /// The hottest shells do without: ``enter()``, the work, ``leave()``, and the rest in functions of their own. A closure
  /// that captures the shell, even one that is inlined, costs a retain and a release of the shell for each value.
  ///
  /// - Parameter deliver: must be the same at every call; it also delivers what others put in line meanwhile.
  @inlinable
  @inline(__always)
  package func submit(_ value: Value, deliver: (Value) -> Void) -> Bool {
    if !enter() {
      switch admit(value) {
      case .entered: break
      case .queued: return true
      case .refused: return false
      }
    }
    deliver(value)
    leave(deliver: deliver)
    return true
  }

  /// Puts a value in line, for a caller who could not enter.
  @inlinable
  package func admit(_ value: Value) -> Admission {
    admit(.value(value), always: false)
  }

  /// Runs a job between two deliveries: now, or by the present owner. A closed queue still runs jobs.
  @inlinable
  package func run(_ job: @escaping Job, deliver: (Value) -> Void) {
    if case .entered = admit(.job(job), always: true) {
      job()
      leave(deliver: deliver)
    }
  }

  /// Runs a last job behind everything that was accepted, and accepts no value from now on.
  ///
  /// - Returns: `false` if the queue was closed before; the job is dropped then.
  @inlinable
  package func close(_ last: @escaping Job, deliver: (Value) -> Void) -> Bool {
    switch admit(.job(last), always: false, closing: true) {
    case .entered:
      last()
      leave(deliver: deliver)
      return true
    case .queued: return true
    case .refused: return false
    }
  }

  /// Runs `body` without ever delivering on behalf of others, so that a caller may hold any lock of its own: under
  /// this queue's lock if the queue is idle, otherwise `job` is put in line.
  ///
  /// - Parameter body: holds no user code and returns what it took out, to be released after unlocking.
  @inlinable
  package func maintain<Garbage: Sendable>(_ body: () -> Garbage, orLater job: @escaping Job) -> Garbage? {
    line.value.withLock { line -> Garbage? in
      guard let previous = occupy(always: true) else { return nil }
      if previous & Self.owned != 0 {
        line.waiting.append(.job(job))
        return nil
      }
      let garbage = body()
      // Nobody else can have changed the word: entering and waiting both need the lock while it is owned.
      word.store(previous, ordering: .releasing)
      return garbage
    }
  }

  @inlinable
  func admit(_ work: Work, always: Bool, closing: Bool = false) -> Admission {
    line.value.withLock { line in
      guard let previous = occupy(always: always, closing: closing) else { return .refused }
      if previous & Self.owned == 0 { return .entered }
      line.waiting.append(work)
      return .queued
    }
  }

  /// Under the lock: takes an idle queue, or makes the owner look at the line before it leaves.
  ///
  /// - Returns: the word as it was; `nil` if the queue is closed and only open ones are wanted.
  @inlinable
  func occupy(always: Bool, closing: Bool = false) -> UInt8? {
    var current = word.load(ordering: .relaxed)
    while true {
      if current & Self.closed != 0, !always { return nil }
      let isOwned = current & Self.owned != 0
      // Whoever owns a queue with a line cannot leave without the lock, so there is nothing to change, and no need to
      // take the word away from the processor that delivers.
      if isOwned, current & Self.waiting != 0, !closing { return current }
      // The owner may leave between the load and here; then the exchange fails and the queue is idle.
      let (exchanged, original) = word.compareExchange(
        expected: current,
        desired: current | (isOwned ? Self.waiting : Self.owned) | (closing ? Self.closed : 0),
        ordering: .acquiringAndReleasing
      )
      if exchanged { return original }
      current = original
    }
  }

  @inlinable
  @inline(__always)
  func leave(deliver: (Value) -> Void) {
    if !leave() { drain(deliver: deliver) }
  }

  /// Delivers what is in line, until there is nothing, and gives up the queue. For the owner.
  @inlinable
  @inline(never)
  package func drain(deliver: (Value) -> Void) {
    var batch: [Work] = []
    while takeBatch(&batch) {
      for work in batch {
        switch work {
        case .value(let value): deliver(value)
        case .job(let job): job()
        }
      }
    }
  }

  /// Swaps the line for the batch that is done; if there is no line, gives up the queue and returns `false`.
  @inlinable
  func takeBatch(_ batch: inout [Work]) -> Bool {
    // Emptied here, where no lock is held: the last reference to what a user sent may go.
    batch.removeAll(keepingCapacity: batch.capacity <= 1024)
    let done = batch
    batch = []
    let next = line.value.withLock { line -> [Work]? in
      if done.capacity > line.spare.capacity { line.spare = done }
      if line.waiting.isEmpty {
        word.bitwiseAnd(Self.closed, ordering: .releasing)
        return nil
      }
      let next = line.waiting
      line.waiting = line.spare
      line.spare = []
      word.bitwiseAnd(~Self.waiting, ordering: .releasing)
      return next
    }
    guard let next else { return false }
    batch = next
    return true
  }
}
