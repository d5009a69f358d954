/// The state that a ``DeliveryQueue`` protects, and the code that handles a value that was sent to the queue.
///
/// Everything that only the owner of the queue may touch is stored in the shell. The owner calls the methods of a
/// shell, with the shell as their `inout self`; other code has no way to the shell but through the queue.
@usableFromInline
package protocol DeliveryShell<Value>: ~Copyable, SendableMetatype {
  associatedtype Value: Sendable

  /// Work for the owner that is not a value: it runs between two deliveries.
  typealias Job = @Sendable (inout Self, QueueAccess) -> Void

  /// Delivers one value. It may call user code; what that sends waits until this has returned.
  mutating func deliver(_ value: Value, _ access: QueueAccess)
}

/// The shell of a queue that runs jobs only, one after the other.
@usableFromInline
package struct JobShell: ~Copyable, DeliveryShell {
  @usableFromInline
  package init() {}

  @inlinable
  package mutating func deliver(_ value: Never, _ access: QueueAccess) {}
}

/// The queue behind the contract's rules 2, 3 and 4: one delivery at a time, in one order, without recursion.
///
/// ```
///   send ──▶ idle? ──yes──▶ own it ──▶ deliver ──▶ leave ──▶ idle
///               │                         ▲           │
///               no                        │           │ something waits
///               ▼                         │           ▼
///             line ───────────────────────┴──── take the next
/// ```
///
/// The thread that finds the queue idle becomes its owner and delivers. What arrives meanwhile, from inside a callback
/// or from another thread, waits in the line, and the owner delivers it before it leaves. Subjects, merges, switches,
/// timed operators and aggregators are shells in this one queue.
///
/// An idle queue is entered and left by one atomic exchange each. The line is made when something has to wait for the
/// first time. What does not depend on the type of the values is code of ``QueueOwnership``, and compiled once.
///
/// Safe to share: ownership is atomic, the line is behind its lock, and the shell is behind a ``QueueIsolated``. User
/// code runs with no lock held.
@usableFromInline
package final class DeliveryQueue<Shell: DeliveryShell & ~Copyable>: QueueOwnership, @unchecked Sendable {
  @usableFromInline typealias Value = Shell.Value

  @usableFromInline typealias Job = Shell.Job

  @usableFromInline let shell: QueueIsolated<Shell>
  /// The address of what the queue protects, for code that shows its access before it uses it. It is stored, because
  /// the thread sanitizer takes a use of the shell in place for a change of its property, which threads that come to
  /// wait would read.
  @usableFromInline package let address: UnsafeMutablePointer<Shell>

  /// - Parameters:
  ///   - policy: what becomes of values that arrive while the line is full. Jobs are not bounded.
  ///   - onAlarm: gets what the line reports, on the thread that has sent, which may own the queue.
  @inlinable
  package init(
    _ shell: consuming Shell,
    buffering policy: BufferingPolicy = .unbounded,
    onAlarm: (@Sendable (LineAlarm) -> Void)? = nil
  ) {
    self.shell = QueueIsolated(shell)
    address = self.shell.pointer
    super.init(Self.operations, buffering: policy, onAlarm: onAlarm)
  }

  // MARK: Sending

  /// Delivers a value now, or adds it to the line.
  ///
  /// - Returns: `false` if the queue is closed, or if the bound of its line does not admit the value.
  @inlinable
  @inline(__always)
  package func send(_ value: Shell.Value) -> Bool {
    send(value) { shell, access in shell.deliver(value, access) }
  }

  /// Does the same as ``send(_:)`` for a value that is made only if it has to wait. Otherwise `deliver` uses its parts
  /// at once, and no reference is counted.
  ///
  /// - Parameter deliver: does what the shell does with the value.
  @inlinable
  @inline(__always)
  package func send(_ value: @autoclosure () -> Shell.Value, now deliver: (inout Shell, QueueAccess) -> Void) -> Bool {
    guard enter() else { return sendLater(CollectionOfOne(value())) }
    let access = QueueAccess(of: self)
    deliver(&shell[access], access)
    leaveOrDrain()
    return true
  }

  @inlinable
  @inline(__always)
  func deliver(_ value: Value) {
    let access = QueueAccess(of: self)
    shell[access].deliver(value, access)
  }

  /// Delivers several values with nothing between them, or adds them to the line.
  ///
  /// - Returns: `false` if the queue is closed, or if the bound of its line admits none of the values.
  @inlinable
  package func send(contentsOf values: [Shell.Value]) -> Bool {
    send(contentsOf: values) { shell, access in
      for value in values { shell.deliver(value, access) }
    }
  }

  /// Runs a job between two deliveries: now, or by the owner. A closed queue still runs jobs.
  @inlinable
  package func run(_ job: @escaping Shell.Job) {
    run(on: address, job)
  }

  /// Runs a last job behind everything that was accepted, and accepts no value from now on.
  ///
  /// - Parameter isDropping: whether the values that wait are dropped instead of delivered.
  /// - Returns: `false` if the queue was closed before; the job is dropped then.
  @inlinable
  package func close(droppingPending isDropping: Bool = false, _ last: @escaping Shell.Job) -> Bool {
    guard enter(closing: true) else {
      return isOpen && admitJob(closing: true, droppingPending: isDropping, Self.job(on: address, last))
    }
    let access = QueueAccess(of: self)
    last(&shell[access], access)
    leaveOrDrain()
    return true
  }

  /// Gives up the queue after everything that waits in the line.
  @inlinable
  @inline(__always)
  func leaveOrDrain() {
    if !leave() { drain() }
  }

  /// Runs a short job that calls no user code, between two deliveries, and never delivers for others; see
  /// ``QueueOwnership/runWithoutDelivering(on:_:)``.
  @inlinable
  package func runWithoutDelivering(_ job: @escaping @Sendable (inout Shell, QueueAccess) -> Any?) {
    runWithoutDelivering(on: address, job)
  }
}

extension DeliveryQueue where Shell: ~Copyable {
  // MARK: Work that is made into an item of the line only if it has to wait, so that the usual case allocates nothing

  /// Does the same as ``send(contentsOf:)`` for values that are made only if they have to wait.
  ///
  /// - Parameter deliver: does what the shell does with the values.
  @inlinable
  @inline(__always)
  package func send(
    contentsOf values: @autoclosure () -> [Shell.Value],
    now deliver: (inout Shell, QueueAccess) -> Void
  ) -> Bool {
    guard enter() else { return sendLater(values()) }
    let access = QueueAccess(of: self)
    deliver(&shell[access], access)
    leaveOrDrain()
    return true
  }

  /// Does the same as ``run(_:)`` for a job that is made only if it has to wait.
  ///
  /// - Parameters:
  ///   - change: does what the job does.
  ///   - job: makes the job.
  @inlinable
  @inline(__always)
  package func run(_ change: (inout Shell, QueueAccess) -> Void, orLater job: () -> Shell.Job) {
    guard enter() else { return run(job()) }
    let access = QueueAccess(of: self)
    change(&shell[access], access)
    leaveOrDrain()
  }
}

extension DeliveryQueue where Shell: ~Copyable {
  // MARK: What has to wait

  // The code that puts a value in line and takes it out is made here, where the type of the values is known, so it is
  // specialised in the module of the user, however the line comes to its end.

  /// Sends to a queue that was not idle. It retains nothing of this object: counting a reference would move the cache
  /// line of the count away from the processor of the thread that is delivering.
  @inlinable
  @inline(never)
  func sendLater<Values: RandomAccessCollection<Value>>(_ values: Values) -> Bool where Values.Index == Int {
    // Released at the end, when no lock is held any more. A `consume` in a `defer` would release it twice (Swift 6.3).
    var dropped: [Value] = []
    let admission = admit(values.count) { index, slot in
      slot.initializeMemory(as: Value.self, to: values[index])
    } dropping: { slot in
      dropped.append(Self.value(in: slot).move())
    }
    if admission == .entered {
      for value in values { deliver(value) }
      leaveOrDrain()
    }
    withExtendedLifetime(dropped) {}
    return admission != .refused
  }

  @inlinable
  static func value(in slot: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value> {
    slot.assumingMemoryBound(to: Value.self)
  }

  /// What the line does with a value of this queue.
  @inlinable
  static var operations: ValueOperations {
    @inline(__always) get {
      ValueOperations(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) { queue, slot in
        unsafeDowncast(queue, to: DeliveryQueue<Shell>.self).deliver(Self.value(in: slot).move())
      } drop: { slot in
        Self.value(in: slot).deinitialize(count: 1)
      }
    }
  }
}
