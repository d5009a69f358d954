import Foundation
import Synchronization
import Testing

/// How long a test waits for what must happen. It is far more than a slow machine needs that runs all tests at once,
/// and it is finite: so a deadlock is a test that fails, and not one that hangs.
package let longestWait = Duration.seconds(1_800)

extension Trait where Self == TimeLimitTrait {
  /// Makes a failure of a test that hangs. The time that a test waits for its turn on the pool counts, so this is more
  /// than all tests need together.
  package static var endsInTime: Self { .timeLimit(.minutes(60)) }
}

/// Something that one thread raises and another one waits for.
///
/// Waiting blocks the thread: use it on threads of `Threads`, and not in a task.
package final class Flag: Sendable {
  private let raised = Atomic<Bool>(false)

  package init() {}

  package var isRaised: Bool { raised.load(ordering: .acquiring) }

  package func raise() {
    raised.store(true, ordering: .releasing)
  }

  /// Whether the flag was raised in time.
  package func wait(atMost patience: Duration = longestWait) -> Bool {
    isTrue(atMost: patience) { isRaised }
  }
}

/// Blocks the thread until `condition` holds, and reports an issue if it does not in time.
///
/// For threads of `Threads`; a task waits with `eventually`.
package func block(sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool) {
  if !isTrue(atMost: longestWait, condition) {
    Issue.record("what a thread waits for has not happened in \(longestWait)", sourceLocation: sourceLocation)
  }
}

/// Blocks the thread until `condition` holds, for so long at most, and returns whether it does.
package func isTrue(atMost patience: Duration, _ condition: () -> Bool) -> Bool {
  let start = ContinuousClock.now
  while !condition() {
    if ContinuousClock.now - start > patience { return condition() }
    _ = sched_yield()
  }
  return true
}

/// Whether `condition` comes true in time, while other tasks and threads get their turns: only for what cannot be
/// awaited.
///
/// The condition also has many chances, however long each takes: on a pool that other tests keep busy, the tasks that
/// it waits for get their turns as rarely as this one.
package func eventually(
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () async throws -> Bool
) async rethrows -> Bool {
  let start = ContinuousClock.now
  var turns = 0
  while try await !condition() {
    if turns > 10_000, ContinuousClock.now - start > longestWait { return false }
    turns += 1
    await Task.yield()
  }
  return true
}

/// Runs `body` on a thread of its own while the calling task only suspends: for what blocks, in a test that needs the
/// pool to go on.
package func onThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread {
      body()
      continuation.resume()
    }.start()
  }
}
