import SystemPackage

/// Where the lines of a file begin.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum FileStart: Sendable {
  /// Only what is appended behind the subscription.
  case end

  /// Also what is there.
  case beginning
}

/// Reads what is appended to a file, also across rotations. It has no time of its own: each call of ``read()`` is one
/// look at the file.
///
/// A path that leads to another file is a rotation. The old file is read until one look finds nothing new in it,
/// because its writer may go on with it for a while; then the new one is read from its beginning. A file that has
/// become shorter was truncated, and is read from its beginning.
struct FileTail: ~Copyable {
  /// The most bytes of one look.
  static let longestRead = 1 << 16

  /// The lines of a look, and whether there may be more at once.
  struct Look {
    var lines: [String] = []
    var isBehind = false
  }

  private struct Identity: Equatable {
    let device: DeviceID
    let inode: Inode

    init(_ stat: Stat) {
      device = stat.deviceID
      inode = stat.inode
    }
  }

  private struct OpenFile {
    let descriptor: FileDescriptor
    let identity: Identity
    var offset: Int64
  }

  private let path: FilePath
  private var splitter: LineSplitter
  private var file: OpenFile?
  private var isReplaced = false
  private var buffer: [UInt8]

  /// Opens the file. One that is not there is waited for, and read from its beginning.
  init(
    _ path: FilePath,
    from start: FileStart,
    longestRead: Int = longestRead,
    longestLine: Int = LineSplitter.longestLine
  ) throws(Errno) {
    self.path = path
    splitter = LineSplitter(limit: longestLine)
    buffer = Array(repeating: 0, count: longestRead)
    try open()
    if case .end = start, let file { self.file?.offset = try Self.stat(file).size }
  }

  deinit {
    try? file?.descriptor.close()
  }

  mutating func read() throws(Errno) -> Look {
    if file == nil { try open() }
    guard let file else { return Look() }
    let present = try presentIdentity()
    var look = Look()
    if try Self.stat(file).size < file.offset {
      look.lines += [splitter.remainder()].compactMap(\.self)
      self.file?.offset = 0
    }
    if try readMore(into: &look) {
      isReplaced = false
    } else if present == nil || present == file.identity {
      isReplaced = false
    } else if !isReplaced {
      isReplaced = true
    } else {
      isReplaced = false
      try? file.descriptor.close()
      self.file = nil
      look.lines += [splitter.remainder()].compactMap(\.self)
      try open()
      _ = try readMore(into: &look)
    }
    return look
  }

  /// Is `false` if there was nothing.
  private mutating func readMore(into look: inout Look) throws(Errno) -> Bool {
    guard let file else { return false }
    let count = try Self.call {
      try buffer.withUnsafeMutableBytes { try file.descriptor.read(fromAbsoluteOffset: file.offset, into: $0) }
    }
    self.file?.offset += Int64(count)
    look.lines += splitter.lines(of: buffer[..<count])
    look.isBehind = count == buffer.count
    return count > 0
  }

  private mutating func open() throws(Errno) {
    do throws(Errno) {
      // A pipe at the path would block the thread.
      let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
      let descriptor = try Self.call { try FileDescriptor.open(path, .readOnly, options: options) }
      do throws(Errno) {
        file = OpenFile(descriptor: descriptor, identity: Identity(try Self.call { try Stat(descriptor) }), offset: 0)
      } catch {
        try? descriptor.close()
        throw error
      }
    } catch  where error == .noSuchFileOrDirectory {
      file = nil
    }
  }

  private func presentIdentity() throws(Errno) -> Identity? {
    do throws(Errno) {
      return Identity(try Self.call { try Stat(path) })
    } catch  where error == .noSuchFileOrDirectory {
      return nil
    }
  }

  private static func stat(_ file: OpenFile) throws(Errno) -> Stat {
    try call { try Stat(file.descriptor) }
  }

  /// swift-system throws nothing but `Errno`, and does not say so in all its types.
  private static func call<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
    do {
      return try body()
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
