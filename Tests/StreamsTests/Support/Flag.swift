import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Something that one thread raises and another waits for, but not for ever: so a deadlock is a test that fails, and not
/// one that hangs.
///
/// Blocks threads: use it on threads of `Threads`.
final class Flag: Sendable {
  private let raised = Atomic<Bool>(false)

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  func raise() {
    raised.store(true, ordering: .releasing)
  }

  /// Whether the flag was raised in time.
  func wait(atMost patience: Duration = .seconds(600)) -> Bool {
    let start = ContinuousClock.now
    while !isRaised {
      if ContinuousClock.now - start > patience { return false }
      _ = sched_yield()
    }
    return true
  }
}

/// A number that any thread may add to.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .acquiring) }

  @discardableResult
  func increment(by step: Int = 1) -> Int {
    number.wrappingAdd(step, ordering: .acquiringAndReleasing).newValue
  }

  @discardableResult
  func decrement() -> Int {
    number.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
  }
}
