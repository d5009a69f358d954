import Foundation
package import RASPJournal
import Streams
package import TestSupport

/// A disk in memory, whose calls fail, are interrupted or do less than they were asked for, and which can lose what was
/// not synced when the power fails.
package final class SimulatedDisk: FileSystem {
  /// What a call does instead of its work.
  package enum Fault: Sendable {
    case error(Int32)
    /// At most so many bytes are written or read.
    case short(Int)
  }

  private struct State {
    var drive: SimulatedDrive
    var open: [Int32: (file: Int, offset: Int)] = [:]
    var locks: [String: Int32] = [:]
    var next: Int32 = 3
    var calls: [String] = []
    var largestRead = 0
    var fault: @Sendable (_ call: String, _ number: Int) -> Fault?
  }

  private let state: Lock<State>
  private let hasFolders: Bool

  /// - Parameters:
  ///   - hasFolders: whether each folder is there.
  ///   - fault: is asked for each call, with its name and its number.
  package init(
    _ files: [String: [UInt8]] = [:],
    hasFolders: Bool = true,
    fault: @escaping @Sendable (_ call: String, _ number: Int) -> Fault? = { _, _ in nil }
  ) {
    self.hasFolders = hasFolders
    state = Lock(State(drive: SimulatedDrive(files), fault: fault))
  }

  /// A disk whose writes come to a gate, from the first event of a journal on.
  package convenience init(writingAt gate: Gate) {
    self.init { call, number in
      if call == "write", number > 5 { gate.hold() }
      return nil
    }
  }

  package var contents: [String: [UInt8]] { state.withLock { $0.drive.contents } }
  package var calls: [String] { state.withLock { $0.calls } }
  /// The most bytes that a call was asked to read.
  package var largestRead: Int { state.withLock { $0.largestRead } }
  package var openCount: Int { state.withLock { $0.open.count } }

  /// The files after the power has failed now.
  ///
  /// - Parameter choose: returns a number below its argument.
  package func contents(afterPowerFailure choose: (Int) -> Int) -> [String: [UInt8]] {
    state.withLock { $0.drive }.contents(afterPowerFailure: choose)
  }

  /// Counts a call, and does its work unless it has a fault.
  private func call<Result: Sendable>(
    _ name: String,
    failing fail: (inout State) -> Void = { _ in },
    _ work: (inout State, _ most: Int) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let result = state.withLock { state -> Swift.Result<Result, SystemError> in
      state.calls.append(name)
      var most = Int.max
      switch state.fault(name, state.calls.count) {
      case .error(let code)?:
        fail(&state)
        return .failure(SystemError(name, code))
      case .short(let count)?: most = count
      case nil: break
      }
      do throws(SystemError) {
        return .success(try work(&state, most))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  package func create(_ path: String) throws(SystemError) -> Int32 {
    let path = normal(path)
    return try call("create") { (state, _) throws(SystemError) in
      if state.drive.names[path] != nil { throw SystemError("create", EEXIST) }
      return open(state.drive.create(path), &state)
    }
  }

  package func append(to path: String) throws(SystemError) -> Int32 {
    let path = normal(path)
    return try call("append") { (state, _) throws(SystemError) in
      guard let file = state.drive.names[path] else { throw SystemError("append", ENOENT) }
      return open(file, &state)
    }
  }

  package func open(_ path: String) throws(SystemError) -> Int32 {
    let path = normal(path)
    return try call("open") { (state, _) throws(SystemError) in
      guard let file = state.drive.names[path] else { throw SystemError("open", ENOENT) }
      return open(file, &state)
    }
  }

  private func open(_ file: Int, _ state: inout State) -> Int32 {
    state.next += 1
    state.open[state.next] = (file, 0)
    return state.next
  }

  package func size(of file: Int32) throws(SystemError) -> Int {
    try call("size") { (state, _) throws(SystemError) in
      guard let file = state.open[file]?.file else { throw SystemError("size", EBADF) }
      return state.drive.files[file].bytes.count
    }
  }

  package func read(_ file: Int32, into bytes: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try call("read") { (state, most) throws(SystemError) in
      guard let (index, offset) = state.open[file] else { throw SystemError("read", EBADF) }
      state.largestRead = max(state.largestRead, bytes.count)
      let part = state.drive.files[index].bytes.dropFirst(offset).prefix(min(bytes.count, most))
      bytes.copyBytes(from: part)
      state.open[file]?.offset += part.count
      return part.count
    }
  }

  package func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    try call("write") { (state, most) throws(SystemError) in
      guard let file = state.open[file]?.file else { throw SystemError("write", EBADF) }
      let part = bytes.prefix(most)
      state.drive.files[file].append(Array(part))
      return part.count
    }
  }

  package func truncate(_ file: Int32, to size: Int) throws(SystemError) {
    try call("truncate") { (state, _) throws(SystemError) in
      guard let file = state.open[file]?.file else { throw SystemError("truncate", EBADF) }
      state.drive.files[file].truncate(to: size)
    }
  }

  package func sync(_ file: Int32) throws(SystemError) {
    try call("sync") { state in
      if let file = state.open[file]?.file { state.drive.files[file].failSync() }
    } _: { state, _ in
      if let file = state.open[file]?.file { state.drive.files[file].sync() }
    }
  }

  package func isRemoved(_ file: Int32, at path: String) throws(SystemError) -> Bool {
    state.withLock { state in
      guard let file = state.open[file]?.file else { return true }
      return !state.drive.names.values.contains(file)
    }
  }

  package func close(_ file: Int32) throws(SystemError) {
    // The descriptor is free also when the call fails.
    state.withLock { state in
      state.open[file] = nil
      state.locks = state.locks.filter { $0.value != file }
    }
    try call("close") { _, _ in }
  }

  package func rename(_ path: String, to newPath: String) throws(SystemError) {
    let (path, newPath) = (normal(path), normal(newPath))
    try call("rename") { (state, _) throws(SystemError) in
      guard let file = state.drive.names[path] else { throw SystemError("rename", ENOENT) }
      state.drive.change([path: nil, newPath: file])
    }
  }

  package func remove(_ path: String) throws(SystemError) {
    let path = normal(path)
    try call("remove") { (state, _) throws(SystemError) in
      if state.drive.names[path] == nil { throw SystemError("remove", ENOENT) }
      state.drive.change([path: nil])
    }
  }

  package func createFolder(_ path: String) throws(SystemError) -> Bool {
    let isNew = !hasFolders
    return try call("createFolder") { _, _ in isNew }
  }

  package func keepMode(of path: String, in file: Int32) throws(SystemError) {}

  package func resolve(_ path: String) throws(SystemError) -> String { normal(path) }

  package func list(_ path: String) throws(SystemError) -> [String] {
    let prefix = normal(path) + "/"
    return try call("list") { state, _ in
      // A folder is there if a file is in it.
      Array(
        Set(
          state.drive.names.keys.filter { $0.hasPrefix(prefix) }
            .compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) }
        )
      )
    }
  }

  package func lock(_ path: String) throws(SystemError) -> Int32 {
    let path = normal(path)
    return try call("lock") { (state, _) throws(SystemError) in
      if state.locks[path] != nil { throw SystemError("lock", EWOULDBLOCK) }
      let file = open(state.drive.names[path] ?? state.drive.create(path), &state)
      state.locks[path] = file
      return file
    }
  }

  package func syncFolder(_ path: String) throws(SystemError) {
    let prefix = normal(path) + "/"
    try call("syncFolder") { state, _ in
      state.drive.syncNames { $0.hasPrefix(prefix) || prefix == "./" }
    }
  }

  private func normal(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }
}
