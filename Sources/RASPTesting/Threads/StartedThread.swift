#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A thread of the system.
///
/// Its body crosses the system's interface as a raw pointer. That is safe because it is retained once, before the
/// thread is started, and released once, by `main`, which runs once: on the new thread, or here if there was none to be
/// had.
enum StartedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// - Returns: `nil` if the system has no thread to give; the body has then run on the calling thread.
  static func start(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
    let argument = Unmanaged.passRetained(Body(run)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    if pthread_create(&thread, nil, { StartedThread.main($0) }, argument) == 0 { return thread }
    _ = main(argument)
    return nil
  }

  static func join(_ thread: pthread_t) {
    pthread_join(thread, nil)
  }

  private static func main(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
}
