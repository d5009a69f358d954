import Foundation

/// The size of a terminal, in characters.
struct TerminalSize: Equatable, Sendable {
  var columns: Int
  var rows: Int
}

/// A file descriptor to write text to. Nothing is buffered: a reader at the other end sees every line at once.
struct Output: Sendable {
  /// Refuses to go on without a standard output, and makes a closed pipe an error of the write, not the end by a
  /// signal.
  static func prepare() throws(RunFailure) {
    signal(SIGPIPE, SIG_IGN)
    let isClosed = fcntl(STDOUT_FILENO, F_GETFD) == -1
    // A file that is opened later would take the number of a closed stream, and be read or written in its place.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDWR)
    }
    if isClosed { throw RunFailure(.ioError, "standard output is closed; give it a terminal, a file or a pipe") }
  }

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
  func line(_ text: String) { write(text + "\n") }

  /// Is `true` if the text goes to a screen, where a picture can be drawn in place.
  var isTerminal: Bool {
    guard isatty(descriptor) == 1, let kind = getenv("TERM") else { return false }
    return strcmp(kind, "dumb") != 0 && strcmp(kind, "") != 0
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
