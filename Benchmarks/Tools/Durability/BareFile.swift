#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Events that are written and synced by hand.
enum BareFile {
  struct Failure: Error {
    let number: Int32
  }

  static func measure(_ count: Int) async throws -> [Duration] {
    let path = temporaryPath()
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard file >= 0 else { throw Failure(number: errno) }
    defer {
      close(file)
      unlink(path)
    }
    let event = [UInt8](repeating: 7, count: 64)
    return try await timed(count) { _ in
      guard write(file, event, event.count) == event.count else { throw Failure(number: errno) }
      #if canImport(Darwin)
        let isSynced = fcntl(file, F_FULLFSYNC) == 0
      #else
        let isSynced = fdatasync(file) == 0
      #endif
      guard isSynced else { throw Failure(number: errno) }
    }
  }
}
