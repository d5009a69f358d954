import Foundation

private let starting = NSLock()

/// The process of one server, and the shell that ends it when the test process ends.
///
/// - Concurrency: all of it is set when it is made; the processes guard themselves.
final class RunningServer: @unchecked Sendable {
  let identifier: Int32
  private let shell: Process
  /// The shell kills the server when this end of its pipe is closed.
  private let lifeline: Pipe

  init(path: String, arguments: [String]) throws {
    // One at a time: a child that is started between the two calls would hold the lifeline of another server open.
    starting.lock()
    defer { starting.unlock() }
    shell = Process()
    lifeline = Pipe()
    let output = Pipe()
    _ = fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    shell.executableURL = URL(filePath: "/bin/sh")
    let script = """
      exec 2>/dev/null 3<&0
      "$0" "$@" </dev/null >/dev/null 3<&- & server=$!
      echo $server
      exec >/dev/null
      { read -r line <&3; kill -9 $server; } & watcher=$!
      wait $server
      kill $watcher
      """
    shell.arguments = ["-c", script, path] + arguments
    shell.standardInput = lifeline
    shell.standardOutput = output
    try shell.run()
    let line = output.fileHandleForReading.availableData
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let identifier = Int32(text) else {
      throw NATSServer.Failure(description: "The shell has not started the server.")
    }
    self.identifier = identifier
  }

  /// A process that has ended and was not waited for counts as running, so the state is asked for as well.
  var isRunning: Bool {
    guard Foundation.kill(identifier, 0) == 0 else { return false }
    let status = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)) ?? ""
    return !status.contains(") Z ")
  }

  func signal(_ number: Int32) {
    _ = Foundation.kill(identifier, number)
  }

  func kill() {
    signal(SIGKILL)
    wait()
  }

  /// Waits until the server is gone. The shell ends after it by itself.
  func wait() {
    while isRunning { usleep(2000) }
  }
}
