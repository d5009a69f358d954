import Foundation
import TestSupport
import Testing

/// A terminal with a shell in it, which a test types into and looks at: a session of `tmux`, if that is installed.
///
/// Its calls block the thread: use them in `onThread`.
final class Tmux {
  private static let path = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The program, which stands beside the tests.
  private static let program = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: "Playground").path

  static var canRun: Bool { path != nil && FileManager.default.isExecutableFile(atPath: program) }

  private let socket = "playground-\(UUID().uuidString)"
  /// It runs in the foreground: the end of a process that leaves a daemon behind is never seen.
  private let server = Process()

  /// - Parameters:
  ///   - line: what is typed first, as soon as the shell is ready.
  ///   - folder: the current folder of the shell.
  init(_ line: String, columns: Int = 100, rows: Int = 24, in folder: TemporaryFolder) {
    // Threads of the pool block all signals, and what they start does so, too: a shell would not see its terminal go.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
    server.executableURL = URL(filePath: Self.path ?? "")
    server.arguments = ["-L", socket, "-f", "/dev/null", "-D"]
    server.standardInput = FileHandle.nullDevice
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    do { try server.run() } catch { Issue.record("tmux does not run: \(error)") }
    // The server takes a moment.
    wait { terminal in
      terminal.run(
        "new-session",
        "-d",
        "-x",
        "\(columns)",
        "-y",
        "\(rows)",
        "-c",
        folder.path(""),
        "env PS1='$ ' PLAYGROUND='\(Self.program)' bash --norc -i"
      )
      return terminal.run("list-sessions").contains(":")
    }
    // A session without a client is as large as it is told to be.
    run("set-option", "-g", "window-size", "manual")
    wait(for: "$")
    type(line)
  }

  deinit { run("kill-server") }

  /// Types a line.
  func type(_ line: String) { send(line, "Enter") }

  /// Presses a key, by its name in tmux.
  func press(_ key: String) { send(key) }

  /// Presses the key that ends the program, until its summary is to be seen. A key may be lost on its way: the shell,
  /// which has just given the terminal away, may still have read it.
  func quit(sourceLocation: SourceLocation = #_sourceLocation) {
    wait(sourceLocation: sourceLocation) { terminal in
      terminal.press("q")
      return isTrue(atMost: .seconds(10)) { terminal.lines.contains { $0.contains("Summary") } }
    }
  }

  /// A machine that has no process or no file left for a moment does not lose a key.
  private func send(_ keys: String...) {
    wait { $0.call(["send-keys"] + keys) != nil }
  }

  /// Closes the terminal.
  func close() { run("kill-session") }

  func resize(columns: Int, rows: Int) {
    run("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// What is to be seen.
  var lines: [String] {
    run("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  /// Whether a program has the screen to itself, and the cursor is hidden.
  var isTaken: Bool { run("display-message", "-p", "#{alternate_on}#{cursor_flag}").hasPrefix("10") }

  /// Waits until a condition holds; if that takes too long, it reports an issue with what is to be seen.
  func wait(sourceLocation: SourceLocation = #_sourceLocation, until condition: (Tmux) -> Bool) {
    if !isTrue(atMost: longestWait, { condition(self) }) {
      let screen = lines.joined(separator: "\n")
      Issue.record("not in \(longestWait); the screen:\n\(screen)", sourceLocation: sourceLocation)
    }
  }

  /// Waits until a program has the screen to itself, or has it no more.
  func wait(taken: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    wait(sourceLocation: sourceLocation) { $0.isTaken == taken }
  }

  /// Waits until a text is not to be seen any more.
  func wait(forNo text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    wait(sourceLocation: sourceLocation) { !$0.lines.contains { $0.contains(text) } }
  }

  /// Waits until a text is to be seen.
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    wait(sourceLocation: sourceLocation) { $0.lines.contains { $0.contains(text) } }
  }

  @discardableResult
  private func run(_ arguments: String...) -> String { call(arguments) ?? "" }

  /// - Returns: what `tmux` writes, or `nil` if it failed.
  private func call(_ arguments: [String]) -> String? {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: Self.path ?? "/usr/bin/tmux")
    process.arguments = ["-L", socket, "-N"] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: output, as: UTF8.self) : nil
  }
}
