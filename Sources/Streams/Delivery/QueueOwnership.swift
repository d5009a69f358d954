import Synchronization

/// The ownership of a ``DeliveryQueue``: one atomic ``QueueWord``, and what the queue knows of its line.
///
/// Safe to share: everything in it is atomic. It is a class that only ``DeliveryQueue`` inherits from, so that code
/// which does not depend on the type of the values is compiled once.
@usableFromInline
package class QueueOwnership: @unchecked Sendable {
  @usableFromInline final let word = Atomic<UInt32>(0)
  #if DEBUG
    /// The thread that owns the queue.
    @usableFromInline final let owner = Atomic<UInt>(CurrentThread.none)
  #endif
  /// Gets what the line reports, on the thread that has sent.
  private final let onAlarm: (@Sendable (LineAlarm) -> Void)?
  /// What waits: a ``DeliveryLine``, which the queue keeps and knows nothing of. `nil` until something has to wait for
  /// the first time.
  final let line = Atomic<Unmanaged<AnyObject>?>(nil)

  /// What the line has to know of the values.
  final let values: ValueOperations
  /// The bound of the line.
  final let policy: BufferingPolicy

  /// - Parameters:
  ///   - values: what the line has to know of the values.
  ///   - policy: the bound of the line.
  ///   - onAlarm: gets what the line reports.
  @usableFromInline
  init(
    _ values: ValueOperations,
    buffering policy: BufferingPolicy,
    onAlarm: (@Sendable (LineAlarm) -> Void)?
  ) {
    self.values = values
    self.policy = policy
    self.onAlarm = onAlarm
  }

  deinit {
    line.load(ordering: .acquiring)?.release()
  }

  final func raise(_ alarm: LineAlarm) { onAlarm?(alarm) }

  /// Is `true` until the queue is closed. Values are accepted until then.
  @inlinable
  final var isOpen: Bool { !QueueWord(word.load(ordering: .acquiring)).contains(.closed) }

  /// Is `true` if nothing is being delivered and nothing waits: all that was accepted before has been delivered.
  @inlinable
  package final var isIdle: Bool { QueueWord(word.load(ordering: .acquiring)).isIdle }

  /// Is `true` when the queue is closed and everything that was accepted has been delivered.
  package final var isOver: Bool { QueueWord(word.load(ordering: .acquiring)) == .closed }

  // MARK: Owning

  /// Makes the caller the owner of an idle queue.
  @inlinable
  @inline(__always)
  final func enter(closing: Bool = false) -> Bool {
    // Looked at first: an exchange that fails still takes the cache line exclusively, away from the processor that
    // delivers.
    let idle = QueueWord(word.load(ordering: .relaxed))
    guard
      let entered = idle.entered(closing: closing),
      word.compareExchange(expected: idle.bits, desired: entered.bits, ordering: .acquiring).exchanged
    else { return false }
    noteOwner()
    return true
  }

  /// Makes the caller the owner of an idle queue, also if it is closed, to run a job.
  @usableFromInline
  final func enterToRun() -> Bool {
    guard exchange({ $0.enteredToRun() }) else { return false }
    noteOwner()
    return true
  }

  /// Gives up the queue.
  ///
  /// - Returns: `false` if something waits, or the queue is closed. The caller is still the owner then.
  @inlinable
  @inline(__always)
  final func leave() -> Bool {
    forgetOwner()
    let owned = QueueWord.owned
    guard let idle = owned.left() else { return false }
    return word.compareExchange(expected: owned.bits, desired: idle.bits, ordering: .releasing).exchanged
  }

  /// Gives up a queue, also if it is closed, unless something waits.
  final func leaveUnlessWaiting() -> Bool {
    forgetOwner()
    if exchange({ $0.leftUnlessWaiting() }) { return true }
    noteOwner()
    return false
  }

  /// Goes a way of the word by an atomic exchange.
  ///
  /// - Returns: `false` if the way does not exist.
  @inline(__always)
  final func exchange(_ way: (QueueWord) -> QueueWord?) -> Bool {
    var current = QueueWord(word.load(ordering: .relaxed))
    while let next = way(current) {
      let (exchanged, original) = word.compareExchange(
        expected: current.bits,
        desired: next.bits,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return true }
      current = QueueWord(original)
    }
    return false
  }

  // MARK: Checking

  @inlinable
  @inline(__always)
  final func noteOwner() {
    #if DEBUG
      let previous = owner.exchange(CurrentThread.id, ordering: .relaxed)
      assert(previous == CurrentThread.none || previous == CurrentThread.id, "Two threads own one delivery queue.")
    #endif
  }

  @inlinable
  @inline(__always)
  final func forgetOwner() {
    #if DEBUG
      checkOwner()
      owner.store(CurrentThread.none, ordering: .relaxed)
    #endif
  }

  #if DEBUG
    /// Is `true` if this thread is the owner.
    @inlinable
    package final var isOwnedByThisThread: Bool { owner.load(ordering: .relaxed) == CurrentThread.id }

    @usableFromInline
    final func checkOwner() {
      assert(isOwnedByThisThread, "What a delivery queue protects was used by a thread that does not own the queue.")
    }
  #endif
}

/// What is done with a value that has waited, by code that does not know its type. It is made where the type is known,
/// so that it is specialised in the module of the user.
@usableFromInline
struct ValueOperations: Sendable {
  let size: Int
  let alignment: Int
  /// Moves the value out of its slot and delivers it. The caller owns the queue.
  let deliver: @Sendable (_ queue: QueueOwnership, _ value: UnsafeMutableRawPointer) -> Void
  /// Releases the value in its slot.
  let drop: @Sendable (_ value: UnsafeMutableRawPointer) -> Void

  @usableFromInline
  init(
    size: Int,
    alignment: Int,
    deliver: @escaping @Sendable (QueueOwnership, UnsafeMutableRawPointer) -> Void,
    drop: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    self.size = size
    self.alignment = alignment
    self.deliver = deliver
    self.drop = drop
  }
}

/// What a line of waiting values reports by itself: it grows, or refuses.
///
/// It is reported seldom: at the first time, and then whenever the number has doubled.
@usableFromInline
package enum LineAlarm: Sendable {
  /// So many items wait.
  case grown(Int)

  /// The bound has refused so many values so far.
  case refused(Int)

  /// The number of items at which the growth of a line is reported first.
  static var firstCount: Int { 65_536 }

  /// Whether so many refused values are reported: one, and each time the number has doubled.
  static func isReported(_ count: Int) -> Bool { count & (count - 1) == 0 }
}

/// Tells once that so much waits in a place without a bound as a line reports first.
package struct GrowthAlarm: ~Copyable, Sendable {
  private let hasRung = Atomic<Bool>(false)

  package init() {}

  /// Returns `true` the first time that so much waits.
  package func rings(at count: Int) -> Bool {
    count >= LineAlarm.firstCount && !hasRung.exchange(true, ordering: .relaxed)
  }
}
