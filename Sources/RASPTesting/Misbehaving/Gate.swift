import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Holds a delivery open, so that a test can look at what happens meanwhile.
///
///     let gate = Gate()
///     let subscription = subject.observable.subscribe { _ in gate.hold() }
///     Threads.run({ subject.send(1) }, {
///       gate.waitUntilHeld()
///       …                       // here the delivery of 1 is under way
///       gate.open()
///     })
///
/// Blocks threads: use it on threads of ``Threads``, not in a task.
public final class Gate: Sendable {
  private let held = Atomic<Int>(0)
  private let isOpen = Atomic<Bool>(false)

  /// A closed gate.
  public init() {}

  /// Blocks until the gate is open; returns at once if it is.
  public func hold() {
    held.wrappingAdd(1, ordering: .acquiringAndReleasing)
    while !isOpen.load(ordering: .acquiring) { _ = sched_yield() }
  }

  /// Blocks until `count` threads have come to the gate.
  public func waitUntilHeld(by count: Int = 1) {
    while held.load(ordering: .acquiring) < count { _ = sched_yield() }
  }

  /// Lets everyone through, for good.
  public func open() {
    isOpen.store(true, ordering: .releasing)
  }
}
