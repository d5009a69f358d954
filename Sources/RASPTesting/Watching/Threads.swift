import RASPSupport
import Streams

/// Real threads for tests that provoke races: each body runs on a thread of its own, so that blocking one of them
/// blocks neither the others nor the pool that runs tasks.
public enum Threads {
  /// Runs all bodies at once and returns when all are done.
  public static func run(_ bodies: @Sendable () -> Void...) {
    run(count: bodies.count) { bodies[$0]() }
  }

  /// Runs `body` on `count` threads at once, each with its index, and returns when all are done. Fewer than one thread
  /// are none.
  public static func run(count: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let threads = (0..<max(0, count)).map { index in StartedThread { body(index) } }
      for thread in threads { thread.join() }
    }
  }
}
