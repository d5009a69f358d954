import Foundation
import Streams

@testable import RASPJournal

/// Files in memory, and calls that fail, are interrupted or do less than they were asked for.
final class MemoryFileSystem: FileSystem {
  /// What a call does instead of its work.
  enum Fault: Sendable {
    case error(Int32)
    /// At most so many bytes are written or read.
    case short(Int)
  }

  private struct State {
    var files: [String: [UInt8]]
    var open: [Int32: (path: String, offset: Int)] = [:]
    var next: Int32 = 3
    var calls: [String] = []
    var largestRead = 0
    var fault: @Sendable (_ call: String, _ number: Int) -> Fault?
  }

  private let state: Lock<State>

  /// - Parameter fault: is asked for each call, with its name and its number.
  init(
    _ files: [String: [UInt8]] = [:],
    fault: @escaping @Sendable (_ call: String, _ number: Int) -> Fault? = { _, _ in nil }
  ) {
    state = Lock(State(files: files, fault: fault))
  }

  var contents: [String: [UInt8]] { state.withLock { $0.files } }
  var calls: [String] { state.withLock { $0.calls } }
  /// The most bytes that a call was asked to read.
  var largestRead: Int { state.withLock { $0.largestRead } }
  var openCount: Int { state.withLock { $0.open.count } }

  /// Counts a call, and does its work unless it has a fault.
  private func call<Result: Sendable>(
    _ name: String,
    _ work: (inout State, _ most: Int) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let result = state.withLock { state -> Swift.Result<Result, SystemError> in
      state.calls.append(name)
      var most = Int.max
      switch state.fault(name, state.calls.count) {
      case .error(let code)?: return .failure(SystemError(name, code))
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

  func create(_ path: String) throws(SystemError) -> Int32 {
    let path = normal(path)
    return try call("create") { (state, _) throws(SystemError) in
      if state.files[path] != nil { throw SystemError("create", EEXIST) }
      state.files[path] = []
      return open(path, &state)
    }
  }

  func open(_ path: String) throws(SystemError) -> Int32 {
    let path = normal(path)
    return try call("open") { (state, _) throws(SystemError) in
      if state.files[path] == nil { throw SystemError("open", ENOENT) }
      return open(path, &state)
    }
  }

  private func open(_ path: String, _ state: inout State) -> Int32 {
    state.next += 1
    state.open[state.next] = (path, 0)
    return state.next
  }

  func size(of file: Int32) throws(SystemError) -> Int {
    try call("size") { (state, _) throws(SystemError) in
      guard let path = state.open[file]?.path else { throw SystemError("size", EBADF) }
      return state.files[path]?.count ?? 0
    }
  }

  func read(_ file: Int32, into bytes: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try call("read") { (state, most) throws(SystemError) in
      guard let (path, offset) = state.open[file] else { throw SystemError("read", EBADF) }
      state.largestRead = max(state.largestRead, bytes.count)
      let part = (state.files[path] ?? []).dropFirst(offset).prefix(min(bytes.count, most))
      bytes.copyBytes(from: part)
      state.open[file]?.offset += part.count
      return part.count
    }
  }

  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    try call("write") { (state, most) throws(SystemError) in
      guard let path = state.open[file]?.path else { throw SystemError("write", EBADF) }
      let part = bytes.prefix(most)
      state.files[path]?.append(contentsOf: part)
      return part.count
    }
  }

  func sync(_ file: Int32) throws(SystemError) { try call("sync") { _, _ in } }

  func close(_ file: Int32) throws(SystemError) {
    // The descriptor is free also when the call fails.
    state.withLock { _ = $0.open.removeValue(forKey: file) }
    try call("close") { _, _ in }
  }

  func rename(_ path: String, to newPath: String) throws(SystemError) {
    let (path, newPath) = (normal(path), normal(newPath))
    try call("rename") { (state, _) throws(SystemError) in
      guard let file = state.files.removeValue(forKey: path) else { throw SystemError("rename", ENOENT) }
      state.files[newPath] = file
    }
  }

  func remove(_ path: String) throws(SystemError) {
    let path = normal(path)
    try call("remove") { (state, _) throws(SystemError) in
      if state.files.removeValue(forKey: path) == nil { throw SystemError("remove", ENOENT) }
    }
  }

  func syncFolder(_ path: String) throws(SystemError) { try call("syncFolder") { _, _ in } }

  private func normal(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }
}
