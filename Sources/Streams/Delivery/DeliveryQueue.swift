import Synchronization

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
/// first time. This file is the way of what need not wait. The rest is code of ``QueueOwnership``, which does not
/// depend on the type of the values; what it needs to know of it is in an extension.
///
/// Safe to share: ownership is atomic, the line is behind its lock, and the shell is behind a ``QueueIsolated``. User
/// code runs with no lock held.
@usableFromInline
package final class DeliveryQueue<Shell: DeliveryShell & ~Copyable>: QueueOwnership, @unchecked Sendable {
  @usableFromInline typealias Value = Shell.Value

  @usableFromInline typealias Job = Shell.Job

  @usableFromInline let shell: QueueIsolated<Shell>

  /// - Parameter policy: what becomes of values that arrive while the line is full. Jobs are not bounded.
  @inlinable
  package init(_ shell: consuming Shell, buffering policy: BufferingPolicy = .unbounded) {
    self.shell = QueueIsolated(shell)
    super.init(isShared: Shell.isShared, buffering: policy)
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
    guard enter(isShared: Shell.isShared) else { return sendLater(value()) }
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
    guard enter(isShared: Shell.isShared) else { return sendLater(contentsOf: values) }
    for value in values { deliver(value) }
    leaveOrDrain()
    return true
  }

  /// Runs a job between two deliveries: now, or by the owner. A closed queue still runs jobs.
  @inlinable
  package func run(_ job: @escaping Shell.Job) {
    if enterToRun() { perform(job) } else { _ = runLater(job, asTheLast: false) }
  }

  /// Runs a last job behind everything that was accepted, and accepts no value from now on.
  ///
  /// - Returns: `false` if the queue was closed before; the job is dropped then.
  @inlinable
  package func close(_ last: @escaping Shell.Job) -> Bool {
    guard enter(isShared: Shell.isShared, closing: true) else { return isOpen && runLater(last, asTheLast: true) }
    perform(last)
    return true
  }

  @inlinable
  func perform(_ job: Job) {
    let access = QueueAccess(of: self)
    if Shell.isShared { access.lend() }
    job(&shell[access], access)
    leaveOrDrain()
  }

  /// Gives up the queue after everything that waits in the line.
  @inlinable
  @inline(__always)
  func leaveOrDrain() {
    if !leave(isShared: Shell.isShared) { drain() }
  }

  /// Changes the shell without ever delivering for others, so the caller may hold any lock of its own: at once if the
  /// queue is idle, otherwise as a job of the owner.
  ///
  /// - Parameter change: runs no user code; it returns what it took out, which is released when the queue is free
  ///   again.
  @inlinable
  package func maintain<Garbage>(_ change: @escaping @Sendable (inout Shell, QueueAccess) -> Garbage) {
    while !beginMaintenance() {
      if changeLater(change) { return }
    }
    let access = QueueAccess(of: self)
    let garbage = change(&shell[access], access)
    endMaintenance()
    _ = consume garbage
  }
}

extension QueueAccess {
  /// Returns the queue itself, to be kept for later sends.
  @inlinable
  func queue<Shell: DeliveryShell & ~Copyable>(of: Shell.Type) -> DeliveryQueue<Shell> {
    unsafeDowncast(queue.takeUnretainedValue(), to: DeliveryQueue<Shell>.self)
  }
}
