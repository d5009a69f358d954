import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs `body` on a thread of its own while the calling task only suspends: for what blocks, in a test that needs the
/// pool to go on.
func onThread(_ body: @escaping @Sendable () -> Void) async {
  final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  await withCheckedContinuation { continuation in
    let work = Work {
      body()
      continuation.resume()
    }
    let argument = Unmanaged.passRetained(work).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }
    #if canImport(Darwin)
      let status = pthread_create(&thread, nil, { main($0) }, argument)
      if status == 0, let thread { pthread_detach(thread) }
    #else
      let status = pthread_create(&thread, nil, main, argument)
      if status == 0 { pthread_detach(thread) }
    #endif
    if status != 0 { _ = main(argument) }
  }
}
