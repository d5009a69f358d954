import Foundation

/// A file descriptor to write text to. Nothing is buffered: a reader at the other end sees every line at once.
struct Output: Sendable {
  static let standard = Output(descriptor: STDOUT_FILENO)
  static let error = Output(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// Writes the text, and ends the program when its reader has gone (quietly) or when it cannot be
  /// written (with a message): there is nothing left to do then, wherever in the pipeline this is called.
  ///
  /// What is written to a terminal that was closed is dropped: the end of the run comes by a signal.
  func write(_ text: String) {
    switch writeIfPossible(text) {
    case 0: return
    case EPIPE: ExitStatus.success.exit()
    case EIO where isCharacterDevice: return
    case let error:
      if descriptor != STDERR_FILENO {
        Output.error.write("Playground: cannot write the output: \(RunFailure.reason(forError: error))\n")
      }
      ExitStatus.ioError.exit()
    }
  }

  /// Writes the text, and returns the error number if that is not possible.
  @discardableResult
  func writeIfPossible(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
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
  }

  /// Writes the text and a line end.
  func line(_ text: String) {
    write(text + "\n")
  }

  /// Is `true` if the text goes to a screen, where a picture can be drawn in place.
  var isTerminal: Bool {
    guard isatty(descriptor) == 1, let kind = getenv("TERM") else { return false }
    return strcmp(kind, "dumb") != 0 && strcmp(kind, "") != 0
  }

  /// Is `true` if a picture may have colours. The user may say that it may not: see no-color.org.
  var hasColours: Bool {
    guard let refusal = getenv("NO_COLOR") else { return isTerminal }
    return isTerminal && refusal.pointee == 0
  }

  /// As far as the terminal tells.
  var terminalSize: TerminalSize {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return TerminalSize(columns: 80, rows: 24)
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// A terminal that was closed does not say any more that it is one.
  private var isCharacterDevice: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFCHR)
  }

  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, -1)
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
