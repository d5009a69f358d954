#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The file system of the machine.
package struct POSIXFileSystem: FileSystem {
  package init() {}

  package func create(_ path: String) throws(SystemError) -> Int32 {
    try check("open", system { openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) })
  }

  package func append(to path: String) throws(SystemError) -> Int32 {
    try check("open", system { openFile(path, O_WRONLY | O_APPEND | O_CLOEXEC, 0) })
  }

  package func open(_ path: String) throws(SystemError) -> Int32 {
    // A pipe that has no writer would be waited for.
    try check("open", system { openFile(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0) })
  }

  package func size(of file: Int32) throws(SystemError) -> Int {
    var status = stat()
    _ = try check("fstat", system { fstat(file, &status) })
    guard status.st_mode & S_IFMT == S_IFREG, let size = Int(exactly: status.st_size) else {
      throw SystemError("fstat", status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    return size
  }

  package func read(_ file: Int32, into bytes: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try check("read", readFile(file, bytes.baseAddress, bytes.count))
  }

  package func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    try check("write", writeFile(file, bytes.baseAddress, bytes.count))
  }

  package func truncate(_ file: Int32, to size: Int) throws(SystemError) {
    _ = try check("ftruncate", system { ftruncate(file, off_t(size)) })
  }

  package func sync(_ file: Int32) throws(SystemError) {
    #if canImport(Darwin)
      // `fsync` leaves the data in the memory of the drive. Volumes of a network do not know the better call.
      if system({ fcntl(file, F_FULLFSYNC) }) != -1 { return }
      guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { throw SystemError("fcntl", errno) }
      _ = try check("fsync", system { fsync(file) })
    #else
      _ = try check("fdatasync", system { fdatasync(file) })
    #endif
  }

  package func isRemoved(_ file: Int32, at path: String) throws(SystemError) -> Bool {
    var status = stat()
    _ = try check("fstat", system { fstat(file, &status) })
    // Some file systems do not count names.
    return status.st_nlink == 0 && access(path, F_OK) == -1 && errno == ENOENT
  }

  package func close(_ file: Int32) throws(SystemError) {
    // A process that was started meanwhile may have the descriptor for a moment, and with it the lock.
    _ = system { flock(file, LOCK_UN) }
    // After an interruption the descriptor is closed, or another thread may have it already.
    if closeFile(file) == -1, errno != EINTR { throw SystemError("close", errno) }
  }

  package func rename(_ path: String, to newPath: String) throws(SystemError) {
    _ = try check("rename", system { renameFile(path, newPath) })
  }

  package func remove(_ path: String) throws(SystemError) {
    _ = try check("unlink", system { unlink(path) })
  }

  @discardableResult
  package func createFolder(_ path: String) throws(SystemError) -> Bool {
    if system({ mkdir(path, 0o700) }) != -1 { return true }
    let code = errno
    var status = stat()
    if code == EEXIST, system({ stat(path, &status) }) != -1, status.st_mode & S_IFMT == S_IFDIR { return false }
    throw SystemError("mkdir", code)
  }

  package func resolve(_ path: String) throws(SystemError) -> String {
    guard let resolved = realpath(path, nil) else { throw SystemError("realpath", errno) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  package func list(_ path: String) throws(SystemError) -> [String] {
    guard let folder = opendir(path) else { throw SystemError("opendir", errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      // The end and an error differ in this only.
      errno = 0
      guard let entry = readdir(folder) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    if errno != 0 { throw SystemError("readdir", errno) }
    return names
  }

  package func lock(_ path: String) throws(SystemError) -> Int32 {
    let file = try check("open", system { openFile(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) })
    do throws(SystemError) {
      // The folder itself is locked, because a file in it may be removed. A volume of a network may lock files only.
      let parent = folder(of: path)
      let holder = try check("open", system { openFile(parent, O_RDONLY | O_CLOEXEC | O_DIRECTORY, 0) })
      if system({ flock(holder, LOCK_EX | LOCK_NB) }) != -1 {
        try? close(file)
        return holder
      }
      let code = errno
      try? close(holder)
      if code == EWOULDBLOCK { throw SystemError("flock", code) }
      if system({ flock(file, LOCK_EX | LOCK_NB) }) == -1 { throw SystemError("flock", errno) }
      return file
    } catch {
      try? close(file)
      throw error
    }
  }

  package func keepMode(of path: String, in file: Int32) throws(SystemError) {
    var status = stat()
    // Without a file there is nothing to keep.
    if system({ stat(path, &status) }) == -1 { return }
    _ = try check("fchmod", system { fchmod(file, status.st_mode & 0o7777) })
  }

  package func syncFolder(_ path: String) throws(SystemError) {
    let folder = try check("open", system { openFile(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY, 0) })
    defer { try? close(folder) }
    // Some file systems cannot sync a folder; their names are safe after the rename.
    if system({ fsync(folder) }) == -1, errno != EINVAL, errno != ENOTSUP { throw SystemError("fsync", errno) }
  }

  /// Calls again as long as a signal interrupts. `read` and `write` are called again by those who use them.
  private func system(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  private func check<Result: SignedInteger>(_ call: String, _ result: Result) throws(SystemError) -> Result {
    if result == -1 { throw SystemError(call, errno) }
    return result
  }
}

// The members of the file system have the names of the calls, which hide these.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func readFile(_ file: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, start, count)
}
private func writeFile(_ file: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int { write(file, start, count) }
private func closeFile(_ file: Int32) -> Int32 { close(file) }
private func renameFile(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }
