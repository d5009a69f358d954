#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Real threads for tests that provoke races: each body runs on a thread of its own, so that blocking one of them blocks
/// neither the others nor the pool that runs tasks.
public enum Threads {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// Runs all bodies at once and returns when all are done.
  public static func run(_ bodies: @Sendable () -> Void...) {
    run(count: bodies.count) { bodies[$0]() }
  }

  /// Runs `body` on `count` threads at once, each with its index, and returns when all are done. Fewer than one thread
  /// are none.
  public static func run(count: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let threads = (0..<max(0, count)).map { index in start(Body { body(index) }) }
      for thread in threads { if let thread { pthread_join(thread, nil) } }
    }
  }

  /// - Returns: `nil` if the system has no thread to give; the body has then run on the calling thread.
  private static func start(_ body: Body) -> pthread_t? {
    let argument = Unmanaged.passRetained(body).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    if pthread_create(&thread, nil, { Threads.main($0) }, argument) == 0 { return thread }
    _ = main(argument)
    return nil
  }

  private static func main(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
}
