import Foundation

/// What must hold of standard input, output and error before anything else is opened.
enum StandardStreams {
  /// Refuses to go on without an output, and makes a closed pipe an error of the write, not the end by a signal.
  static func prepare() throws(RunFailure) {
    signal(SIGPIPE, SIG_IGN)
    let isClosed = fcntl(STDOUT_FILENO, F_GETFD) == -1
    // A file that is opened later would take the number of a closed stream, and be read or written in its place.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDWR)
    }
    if isClosed { throw RunFailure(.ioError, "standard output is closed; give it a terminal, a file or a pipe") }
  }
}
