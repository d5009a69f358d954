package import RASPJournal
import Streams

/// A disk that tells of each change before it is made, on the thread that makes it and beside all others: what is told
/// may wait.
package final class WatchedDisk: FileSystem {
  private let disk: SimulatedDisk
  private let paths = Lock<[Int32: String]>([:])
  private let willChange: @Sendable (_ call: String, _ path: String) -> Void

  package init(_ disk: SimulatedDisk, willChange: @escaping @Sendable (_ call: String, _ path: String) -> Void) {
    self.disk = disk
    self.willChange = willChange
  }

  private func will(_ call: String, _ file: Int32) { willChange(call, paths.withLock { $0[file] } ?? "") }

  private func note(_ path: String, _ file: Int32) -> Int32 {
    paths.withLock { $0[file] = path }
    return file
  }

  package func create(_ path: String) throws(SystemError) -> Int32 {
    willChange("create", path)
    return note(path, try disk.create(path))
  }

  package func append(to path: String) throws(SystemError) -> Int32 {
    willChange("append", path)
    return note(path, try disk.append(to: path))
  }

  package func open(_ path: String) throws(SystemError) -> Int32 { try disk.open(path) }

  package func size(of file: Int32) throws(SystemError) -> Int { try disk.size(of: file) }

  package func read(_ file: Int32, into bytes: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try disk.read(file, into: bytes)
  }

  package func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    will("write", file)
    return try disk.write(file, bytes)
  }

  package func truncate(_ file: Int32, to size: Int) throws(SystemError) {
    will("truncate", file)
    try disk.truncate(file, to: size)
  }

  package func sync(_ file: Int32) throws(SystemError) {
    will("sync", file)
    try disk.sync(file)
  }

  package func isRemoved(_ file: Int32, at path: String) throws(SystemError) -> Bool {
    try disk.isRemoved(file, at: path)
  }

  package func close(_ file: Int32) throws(SystemError) { try disk.close(file) }

  package func keepMode(of path: String, in file: Int32) throws(SystemError) {}

  package func rename(_ path: String, to newPath: String) throws(SystemError) {
    willChange("rename", newPath)
    try disk.rename(path, to: newPath)
  }

  package func remove(_ path: String) throws(SystemError) {
    willChange("remove", path)
    try disk.remove(path)
  }

  package func createFolder(_ path: String) throws(SystemError) -> Bool {
    willChange("createFolder", path)
    return try disk.createFolder(path)
  }

  package func resolve(_ path: String) throws(SystemError) -> String { try disk.resolve(path) }

  package func list(_ path: String) throws(SystemError) -> [String] { try disk.list(path) }

  package func lock(_ path: String) throws(SystemError) -> Int32 {
    willChange("lock", path)
    return try disk.lock(path)
  }

  package func syncFolder(_ path: String) throws(SystemError) {
    willChange("syncFolder", path)
    try disk.syncFolder(path)
  }
}
