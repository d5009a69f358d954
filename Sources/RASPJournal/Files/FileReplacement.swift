#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A file that is written beside another one and takes its place when it is complete and on the medium. So at each
/// moment the path has what it had before, or all that is new.
struct FileReplacement {
  private let system: any FileSystem
  private let path: String
  private let temporary: String
  private let file: Int32

  /// Makes the file beside `path`, with a name that ends with `.tmp`.
  init(of path: String, on system: any FileSystem) throws(SystemError) {
    // The system would take the path up to there.
    if path.utf8.contains(0) { throw SystemError("open", EINVAL) }
    self.system = system
    self.path = path
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    temporary = "\(Self.folder(of: path))/.rasp-\(number).tmp"
    file = try system.create(temporary)
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(SystemError) {
    try system.writeAll(bytes, to: file)
  }

  /// Puts the file in its place.
  func commit() throws(SystemError) {
    do throws(SystemError) {
      try system.sync(file)
    } catch {
      discard()
      throw error
    }
    do throws(SystemError) {
      try system.close(file)
      try system.rename(temporary, to: path)
    } catch {
      try? system.remove(temporary)
      throw error
    }
    try system.syncFolder(Self.folder(of: path))
  }

  /// Removes what was written so far.
  func discard() {
    // Both fail only if there is nothing left to do.
    try? system.close(file)
    try? system.remove(temporary)
  }

  /// The folder that a file is in.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
