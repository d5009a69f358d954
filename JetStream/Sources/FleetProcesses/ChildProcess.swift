import Foundation
import NIOConcurrencyHelpers
import Subprocess

/// A process that this one has started. It is spoken to in lines, and ends when this process does: a role of a program
/// listens with ``ParentProcess``, which ends it at the end of its input.
///
/// Safe to share: what changes is behind the lock.
package final class ChildProcess: Sendable {
  private typealias Running = Execution<CustomWriteInput, SequenceOutput, FileDescriptorOutput>

  /// The lines that may wait to be written to a child. More are dropped: a child that does not read is hung.
  private static let greatestBacklog = 64

  /// The number of the process.
  package let pid: Int32

  private let running: NIOLockedValueBox<Running?>
  private let input: AsyncStream<String>.Continuation
  private let status: Task<Int32, Never>

  /// Starts a program, in a group of its own, so that `^C` on a terminal reaches this process alone.
  ///
  /// - Parameters:
  ///   - executable: the path of the program.
  ///   - arguments: what it is given.
  ///   - log: where its errors go; its input and output are pipes to this process.
  ///   - onLine: is called for each line of its output, one after the other.
  package init(
    _ executable: String,
    _ arguments: [String],
    errors log: FileHandle = .standardError,
    onLine: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws {
    // A child that has gone is an error of the write, and not the end of this process.
    signal(SIGPIPE, SIG_IGN)
    var options = PlatformOptions()
    options.processGroupID = 0
    let configuration = Configuration(
      executable: .path(.init(executable)),
      arguments: Arguments(arguments),
      platformOptions: options
    )
    let (lines, input) = AsyncStream.makeStream(
      of: String.self,
      bufferingPolicy: .bufferingOldest(Self.greatestBacklog)
    )
    var run: Task<Int32, Never>?
    let execution: Running = try await withCheckedThrowingContinuation { continuation in
      run = Task {
        var hasStarted = false
        do {
          let result = try await Subprocess.run(
            configuration,
            input: .inputWriter,
            output: .sequence,
            error: .fileDescriptor(.init(rawValue: log.fileDescriptor), closeAfterSpawningProcess: false)
          ) { execution in
            hasStarted = true
            continuation.resume(returning: execution)
            await Self.converse(with: execution, lines, input, onLine)
          }
          switch result.terminationStatus {
          case .exited(let status), .signaled(let status): return status
          }
        } catch {
          if !hasStarted { continuation.resume(throwing: error) }
          return -1
        }
      }
    }
    pid = execution.processIdentifier.value
    running = NIOLockedValueBox(execution)
    self.input = input
    status = Task { [run] in await run?.value ?? -1 }
    Task { await end() }
  }

  /// Writes lines to a process and reads those that it writes, until it ends.
  private static func converse(
    with execution: Running,
    _ lines: AsyncStream<String>,
    _ input: AsyncStream<String>.Continuation,
    _ onLine: @escaping @Sendable (String) -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await line in lines { _ = try? await execution.standardInputWriter.write("\(line)\n") }
      }
      group.addTask {
        do { for try await line in execution.standardOutput.strings() { onLine(line) } } catch {}
        // The output ends with the process, and nothing is written to it any more.
        input.finish()
      }
    }
  }

  /// Whether it runs, or is stopped by a signal.
  package var isRunning: Bool { running.withLockedValue { $0 != nil } }

  /// Writes a line to its input.
  package func tell(_ line: String) { input.yield(line) }

  /// Sends it a signal, unless it has ended.
  package func send(signal number: Int32) {
    running.withLockedValue { try? $0?.send(signal: Signal(rawValue: number)) }
  }

  /// Returns when it has ended.
  ///
  /// - Returns: its exit status, or the number of the signal that has ended it.
  @discardableResult
  package func end() async -> Int32 {
    let status = await status.value
    running.withLockedValue { $0 = nil }
    return status
  }
}
