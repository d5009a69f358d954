import Synchronization

/// The gate in front of something that one thread changes again and again, and other threads copy now and then.
///
/// ```
///   owner:    lock   change   unlock                         lock   change …
///   reader:          waits             lock   copy   unlock
/// ```
///
/// The owner holds the lock around each change and around nothing else. A lock of a platform admits the thread that
/// comes first, and that is the owner, who comes at once for the next change. So a reader that finds a change under way
/// takes its turn among the readers and asks to be admitted, and the owner waits for the end of the turn before it
/// makes the next change: a reader waits for the change that is under way when it asks, and for one more if the owner
/// has just looked. Both wait in locks that the other one holds, so the platform knows who waits for whom, and raises
/// the priority of a thread that holds up a more urgent one. A test walks through every interleaving of these steps.
///
/// Two changes that read behind each other's gates wait for each other. A debug build finds that before they wait.
///
/// Safe to share: what it protects is changed and copied under the lock only; the rest is atomic.
@usableFromInline
package struct StateGate: ~Copyable, Sendable {
  @usableFromInline let mutex = Mutex<Void>(())
  /// The thread that changes or copies. It also shows the order of the lock to the thread sanitizer, see ``Lock``.
  @usableFromInline let holder = Atomic<UInt>(CurrentThread.none)
  /// Whether a reader asks to be admitted.
  @usableFromInline let isAsked = Atomic<Bool>(false)
  /// Is locked by the reader that is admitted next, before it asks and until it has copied.
  @usableFromInline let turn = Mutex<Void>(())

  @inlinable
  package init() {}

  /// Whether this thread is changing or copying.
  @inlinable
  var isHeldByThisThread: Bool { holder.load(ordering: .relaxed) == CurrentThread.id }

  /// Makes a change. Only the owner of what is protected calls it, one change at a time.
  @inlinable
  @inline(__always)
  package borrowing func change<Result>(_ body: () -> Result) -> Result {
    if isAsked.load(ordering: .relaxed) { admitReader() }
    mutex._unsafeLock()
    begin()
    defer {
      end()
      mutex._unsafeUnlock()
    }
    return body()
  }

  /// The address of something that is protected, for a change of it. A debug build checks that this thread makes one.
  @inlinable
  @inline(__always)
  package borrowing func changed<Shared: ~Copyable>(_ address: UnsafePointer<Shared>) -> UnsafeMutablePointer<Shared> {
    assert(isHeldByThisThread, "What other threads may copy was changed.")
    return UnsafeMutablePointer(mutating: address)
  }

  /// Copies, from any thread.
  ///
  /// - Parameter copy: copies, and does nothing else.
  /// - Returns: `nil` if this very thread is changing or copying, or, in a debug build, if the change that it would
  ///   wait for waits for one that this thread is making.
  @inlinable
  @inline(__always)
  package borrowing func read<Copy>(_ copy: () -> Copy) -> Copy? {
    var entrance = Entrance.atOnce
    // A lock that is held is not tried: on Linux, that is a call of the system.
    if holder.load(ordering: .relaxed) != CurrentThread.none || !mutex._unsafeTryLock() {
      entrance = enterLater()
      if entrance == .never { return nil }
    }
    begin()
    defer {
      end()
      mutex._unsafeUnlock()
      if entrance == .inTurn { turn._unsafeUnlock() }
    }
    return copy()
  }

  @inlinable
  @inline(__always)
  borrowing func begin() {
    _ = holder.load(ordering: .acquiring)
    holder.store(CurrentThread.id, ordering: .relaxed)
  }

  @inlinable
  @inline(__always)
  borrowing func end() { holder.store(CurrentThread.none, ordering: .releasing) }

  /// How a reader has come to hold the lock.
  @usableFromInline
  enum Entrance: Sendable {
    case atOnce
    /// It has waited, and holds `turn` besides.
    case inTurn
    /// It does not hold the lock, and would wait for itself.
    case never
  }

  /// Locks for a reader that has found the gate closed: it looks for about as long as a small change takes, and then
  /// waits to be admitted.
  @usableFromInline
  borrowing func enterLater() -> Entrance {
    if isHeldByThisThread { return .never }
    for _ in 0..<64 where holder.load(ordering: .relaxed) == CurrentThread.none {
      if mutex._unsafeTryLock() { return .atOnce }
    }
    #if DEBUG
      guard GateWaits.begin(for: holder) else { return .never }
      defer { GateWaits.end() }
    #endif
    turn._unsafeLock()
    isAsked.store(true, ordering: .relaxed)
    mutex._unsafeLock()
    isAsked.store(false, ordering: .relaxed)
    return .inTurn
  }

  /// Waits for the reader whose turn it is.
  @usableFromInline
  borrowing func admitReader() {
    turn._unsafeLock()
    turn._unsafeUnlock()
  }
}

#if DEBUG
  /// Which thread waits in front of which gate, so that changes that would wait for each other are found before they
  /// do.
  ///
  /// A thread that makes a change stands still while it waits to read behind another gate, so what is found is exact,
  /// and of the threads of a circle the last one finds it.
  private enum GateWaits {
    /// The gates by the threads that wait in front of them. A gate is there as long as a thread waits.
    private static let gates = Lock<[UInt: GateAddress]>([:])

    private struct GateAddress: Sendable {
      /// Safe to share: what is there is atomic.
      nonisolated(unsafe) let holder: UnsafePointer<Atomic<UInt>>
    }

    /// Notes that this thread waits, unless the thread that holds it waits for this one.
    static func begin(for holder: borrowing Atomic<UInt>) -> Bool {
      withUnsafePointer(to: holder) { address in
        gates.withLock { gates in
          var next = address
          for _ in 0...gates.count {
            let thread = next.pointee.load(ordering: .relaxed)
            if thread == CurrentThread.id { return false }
            guard let gate = gates[thread] else { break }
            next = gate.holder
          }
          gates[CurrentThread.id] = GateAddress(holder: address)
          return true
        }
      }
    }

    static func end() { gates.withLock { gates in gates[CurrentThread.id] = nil } }
  }
#endif
