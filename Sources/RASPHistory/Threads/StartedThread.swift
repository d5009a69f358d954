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
/// thread is started, and released once: by `main` on the new thread, or here if there was none to be had.
package struct StartedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// `nil` if the body has run already.
  private let thread: pthread_t?

  /// Starts a thread. If the system has none to give, the body runs on the calling thread.
  package init(_ run: @escaping @Sendable () -> Void) {
    thread = Self.create(run)
    if thread == nil { run() }
  }

  /// Waits for the thread to end. It must be called once, so that the system forgets the thread.
  package func join() {
    if let thread { pthread_join(thread, nil) }
  }

  /// Starts a thread that ends by itself.
  ///
  /// - Returns: `false` if the system has no thread to give; the body has not run then.
  package static func detach(_ run: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = create(run) else { return false }
    pthread_detach(thread)
    return true
  }

  private static func create(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
    let argument = Unmanaged.passRetained(Body(run))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    if pthread_create(&thread, nil, { StartedThread.main($0) }, argument.toOpaque()) == 0 { return thread }
    argument.release()
    return nil
  }

  private static func main(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
}
