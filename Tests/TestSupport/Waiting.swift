import Foundation
import Synchronization
import Testing

/// How long a thread waits for what must happen. It is finite: so a deadlock is a test that fails, and not one that
/// hangs.
///
/// It is more than all tests need together: a thread has its turns also while a task that it waits for stands behind
/// those of all other tests.
package let longestWait = Duration.seconds(1_800)

/// How often a task looks for what must happen, with a pause of a millisecond between two looks. It is counted in looks
/// and not by the clock, because a task that looks gets its turns as rarely as the tasks that it waits for.
private let mostLooks = 60_000

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
///
/// At first it looks again at once, so that it goes on while the thread that it waits for does.
package func isTrue(atMost patience: Duration, _ condition: () -> Bool) -> Bool {
  for _ in 0..<1_000 {
    if condition() { return true }
    _ = sched_yield()
  }
  let start = ContinuousClock.now
  while !condition() {
    if ContinuousClock.now - start > patience { return condition() }
    usleep(1_000)
  }
  return true
}

/// Whether `condition` comes true in time, while other tasks and threads get their turns: only for what cannot be
/// awaited.
package func eventually(
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () async throws -> Bool
) async rethrows -> Bool {
  for _ in 0..<mostLooks {
    if try await condition() { return true }
    await pause()
  }
  return try await condition()
}

/// Suspends for a millisecond, also in a task that is cancelled.
package func pause() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
  }
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
