import RASPTesting
import Synchronization
import Testing

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
///     let subscription = subject.subscribe { _ in gate.hold() }
///     Threads.run({ subject.send(1) }, {
///       gate.waitUntilHeld()
///       …                       // here the delivery of 1 is held open
///       gate.open()
///     })
///
/// Blocks threads: use it on threads of ``Threads``, not in a task.
///
/// No wait is longer than the gate's patience. When that is over, the gate reports an issue where it was made and
/// opens, so that a test in which a gate is forgotten fails and ends.
package final class Gate: Sendable {
  private let held = Atomic<Int>(0)
  private let isOpen = Atomic<Bool>(false)
  private let patience: Duration
  private let sourceLocation: SourceLocation
  // Threads that come to the gate have no test of their own.
  private let reporter = Reporter.current

  /// Makes a closed gate.
  ///
  /// - Parameters:
  ///   - patience: the time that a thread waits before the gate reports it. It should be far more than a busy machine
  ///     needs.
  ///   - sourceLocation: the source location to report at.
  package init(patience: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation) {
    self.patience = patience
    self.sourceLocation = sourceLocation
  }

  /// Blocks until the gate is open; returns at once if it is.
  package func hold() {
    held.wrappingAdd(1, ordering: .acquiringAndReleasing)
    wait("a gate held a thread for \(patience), and nothing has opened it; call `open()`, also where a test fails") {
      isOpen.load(ordering: .acquiring)
    }
  }

  /// Blocks until `count` threads have come to the gate.
  package func waitUntilHeld(by count: Int = 1) {
    wait("within \(patience), fewer than \(count) thread(s) came to a gate; check that `hold()` is called") {
      held.load(ordering: .acquiring) >= count
    }
  }

  /// Lets all threads through, for good.
  package func open() {
    isOpen.store(true, ordering: .releasing)
  }

  private func wait(_ report: @autoclosure () -> String, until condition: () -> Bool) {
    // At first it looks again at once: threads that meet at a gate go on together.
    for _ in 0..<1_000 {
      if condition() { return }
      _ = sched_yield()
    }
    let start = ContinuousClock.now
    while !condition() {
      if ContinuousClock.now - start > patience {
        reporter.report(report(), at: sourceLocation)
        // The threads that it holds go on, and need not report the same again.
        return open()
      }
      usleep(1_000)
    }
  }
}
