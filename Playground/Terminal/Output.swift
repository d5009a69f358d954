import Foundation

/// A file descriptor to write text to. Nothing is buffered: a reader at the other end sees every line at once.
struct Output: Sendable {
  static let standard = Output(descriptor: STDOUT_FILENO)
  static let error = Output(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// Writes the text, and ends the program when its reader has gone (quietly) or when it cannot be
  /// written (with a message): there is nothing left to do then, wherever in the pipeline this is called.
  func write(_ text: String) {
    var text = text
    let error = text.withUTF8 { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let written = systemWrite(descriptor, rest.baseAddress, rest.count)
        if written >= 0 {
          rest = UnsafeBufferPointer(rebasing: rest.dropFirst(written))
        } else if errno == EAGAIN {
          waitUntilWritable()
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    switch error {
    case 0: return
    case EPIPE: ExitStatus.success.exit()
    default:
      if descriptor != STDERR_FILENO {
        Output.error.write("Playground: cannot write the output: \(RunFailure.reason(forError: error))\n")
      }
      ExitStatus.ioError.exit()
    }
  }

  /// Writes the text and a line end.
  func line(_ text: String) {
    write(text + "\n")
  }

  /// Draws the lines of a picture, over those of the one before, which leaves the cursor below it.
  func draw(_ lines: [String], overPrevious: Bool) {
    let up = overPrevious ? "\u{1B}[\(lines.count)A" : ""
    write(up + lines.map { "\r\u{1B}[2K\($0)\n" }.joined())
  }

  /// Is `true` if the text goes to a screen, where a picture can be drawn in place.
  var isTerminal: Bool {
    guard isatty(descriptor) == 1, let kind = getenv("TERM") else { return false }
    return strcmp(kind, "dumb") != 0 && strcmp(kind, "") != 0
  }

  /// In characters, as far as the terminal tells.
  var terminalWidth: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, -1)
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// A closed pipe is to be an error of the write, not the end of the program by a signal.
func ignoreClosedPipes() {
  signal(SIGPIPE, SIG_IGN)
}
