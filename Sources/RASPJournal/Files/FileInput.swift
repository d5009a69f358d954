#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A file that is read from its beginning to its end.
struct FileInput: ~Copyable {
  /// How many bytes of the file have not been read, if the file does not change.
  private(set) var remaining: Int

  private var position = 0
  private let system: any FileSystem
  private let file: Int32

  init(_ path: String, on system: any FileSystem) throws(SystemError) {
    if path.utf8.contains(0) { throw SystemError("open", EINVAL) }
    let file = try system.open(path)
    do throws(SystemError) {
      remaining = try system.size(of: file)
    } catch {
      try? system.close(file)
      throw error
    }
    self.system = system
    self.file = file
  }

  deinit {
    // Nothing was written, so nothing can be lost.
    try? system.close(file)
  }

  /// Looks again how long the file is.
  mutating func noteGrowth() throws(SystemError) {
    remaining = max(0, try system.size(of: file) - position)
  }

  /// Reads the next bytes into the place of those before: `count`, or all that are left if they are fewer. So it takes
  /// no more memory than the file has bytes.
  mutating func read(_ count: Int, into bytes: inout [UInt8]) throws(SystemError) {
    let count = min(count, remaining)
    if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
    var done = 0
    while done < count {
      do throws(SystemError) {
        let length = try bytes.withUnsafeMutableBufferPointer { (all) throws(SystemError) in
          try system.read(
            file,
            into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(all)[done...])
          )
        }
        if length <= 0 { break }
        done += min(length, count - done)
      } catch  where error.code == EINTR {
        continue
      }
    }
    // The file has become shorter meanwhile.
    if done < count { bytes.removeSubrange(done...) }
    remaining -= count
    position += done
  }
}
