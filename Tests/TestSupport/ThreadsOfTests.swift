import Foundation
import RASPTesting

extension Threads {
  /// Runs all bodies at once, each on a thread of its own, while the calling task only suspends: the pool stays free
  /// for the tasks that take over what the bodies have sent, and for other tests.
  ///
  /// As many groups of threads run at once as there are processors; others wait. If all tests ran their threads at the
  /// same time, the threads of one test would hardly ever meet.
  package static func run(_ bodies: @Sendable () -> Void...) async {
    await run(count: bodies.count) { bodies[$0]() }
  }

  /// Runs `body` on `count` threads at once, as ``run(_:)``.
  package static func run(count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withCheckedContinuation { continuation in
      Runners.shared.add {
        // The one that blocks its thread.
        Threads.run(count: count, body)
        continuation.resume()
      }
    }
  }
}

/// Threads that do one job after the other, for as long as the process runs.
///
/// Safe to share: `jobs` is used while `condition` is locked.
private final class Runners: @unchecked Sendable {
  static let shared = Runners(count: max(2, ProcessInfo.processInfo.activeProcessorCount))

  private let condition = NSCondition()
  private var jobs: [@Sendable () -> Void] = []

  private init(count: Int) {
    for _ in 0..<count { Thread { while true { self.next()() } }.start() }
  }

  func add(_ job: @escaping @Sendable () -> Void) {
    condition.withLock { jobs.append(job) }
    condition.signal()
  }

  private func next() -> @Sendable () -> Void {
    condition.withLock {
      while jobs.isEmpty { condition.wait() }
      return jobs.removeFirst()
    }
  }
}
