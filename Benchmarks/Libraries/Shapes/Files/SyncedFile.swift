#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A file that is written and synced by hand: the floor of what is made durable.
final class SyncedFile: Sendable {
  private let file: Int32
  private let path: String

  /// Makes the file, which is removed with this object. It returns `nil` if that is not possible.
  init?(_ path: String) {
    file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard file >= 0 else { return nil }
    self.path = path
  }

  deinit {
    close(file)
    unlink(path)
  }

  /// Appends bytes, and returns whether they are on the medium.
  func append(_ bytes: [UInt8]) -> Bool {
    guard write(file, bytes, bytes.count) == bytes.count else { return false }
    #if canImport(Darwin)
      return fcntl(file, F_FULLFSYNC) == 0
    #else
      return fdatasync(file) == 0
    #endif
  }
}
