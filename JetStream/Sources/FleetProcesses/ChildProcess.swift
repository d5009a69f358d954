import Foundation
import Synchronization

/// A process that this one has started. It is spoken to in lines, and ends when this process does: a role of a program
/// listens with ``ParentProcess``, which ends it at the end of its input.
///
/// Safe to share: what changes is behind the lock, and the rest is set once before anything runs.
package final class ChildProcess: Sendable {
  private struct State {
    var status: Int32?
    var waiting: [CheckedContinuation<Int32, Never>] = []
  }

  /// The number of the process.
  package let pid: Int32

  private let input: FileHandle
  private let state = Mutex(State())

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: the path of the program.
  ///   - arguments: what it is given.
  ///   - log: where its errors go; its input and output are pipes to this process.
  ///   - onLine: is called for each line of its output, on a thread of its own.
  package init(
    _ executable: String,
    _ arguments: [String],
    errors log: FileHandle = .standardError,
    onLine: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = log
    for pipe in [input.fileHandleForWriting, output.fileHandleForReading] {
      // Children that are started later must not hold it open.
      _ = fcntl(pipe.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    let exit = Exit()
    process.terminationHandler = { process in exit.child.withLock { $0 }?.ended(process.terminationStatus) }
    self.input = input.fileHandleForWriting
    // A child that has gone is an error of the write, and not the end of this process.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
    pid = process.processIdentifier
    exit.child.withLock { $0 = self }
    // It may have ended before the handler knew whom to tell.
    if !process.isRunning { ended(process.terminationStatus) }
    LineReader.read(output.fileHandleForReading, onLine: onLine)
  }

  /// The handler is set before there is a child.
  private final class Exit: Sendable {
    let child = Mutex<ChildProcess?>(nil)
  }

  /// Whether it runs, or is stopped by a signal.
  package var isRunning: Bool { state.withLock { $0.status == nil } }

  /// Writes a line to its input.
  package func tell(_ line: String) {
    _ = try? input.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Sends it a signal, unless it has ended.
  package func send(signal number: Int32) {
    // A number of a process that has ended may belong to another one.
    state.withLock { state in
      if state.status == nil { _ = kill(pid, number) }
    }
  }

  /// Returns when it has ended.
  ///
  /// - Returns: its exit status, or the number of the signal that has ended it.
  @discardableResult
  package func end() async -> Int32 {
    await withCheckedContinuation { continuation in
      let status = state.withLock { state in
        if state.status == nil { state.waiting.append(continuation) }
        return state.status
      }
      if let status { continuation.resume(returning: status) }
    }
  }

  private func ended(_ status: Int32) {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.status = state.status ?? status
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: status) }
  }
}
