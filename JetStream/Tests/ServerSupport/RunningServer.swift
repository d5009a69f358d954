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
    // The shell does not wait for the server: it was started with the signals of a pool thread, which are blocked, so it
    // would not hear of its end. The number of the server belongs to it until the shell has ended, too.
    let script = """
      exec 2>/dev/null 3<&0
      "$0" "$@" </dev/null >/dev/null 3<&- & server=$!
      echo $server
      exec >/dev/null
      read -r line <&3
      kill -9 $server
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

  /// A process that has ended, and for which its shell has not waited, still has its number.
  var isRunning: Bool {
    guard Foundation.kill(identifier, 0) == 0 else { return false }
    #if os(Linux)
      let status = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)) ?? ""
      return !status.contains(") Z ")
    #else
      let question = Process()
      let answer = Pipe()
      question.executableURL = URL(filePath: "/bin/ps")
      question.arguments = ["-o", "stat=", "-p", "\(identifier)"]
      question.standardOutput = answer
      guard (try? question.run()) != nil else { return true }
      let status = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      return !status.isEmpty && !status.hasPrefix("Z")
    #endif
  }

  func signal(_ number: Int32) {
    _ = Foundation.kill(identifier, number)
  }

  func kill() {
    signal(SIGKILL)
    wait()
  }

  /// Waits until the server is gone, and ends the shell.
  func wait() {
    while isRunning { usleep(2000) }
    try? lifeline.fileHandleForWriting.close()
  }
}
