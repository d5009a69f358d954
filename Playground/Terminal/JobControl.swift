import Foundation

/// Gives the terminal back to the shell when the user stops the program with `^Z`, and takes it again when the program
/// goes on in the foreground.
final class JobControl: Sendable {
  private let watches: [SignalWatch]

  /// - Parameter needsKeys: whether keys are read, so that their mode has to come back.
  init(of screen: Screen, needsKeys: Bool) {
    watches = [
      SignalWatch(SIGTSTP) {
        screen.suspend()
        TerminalMode.restore()
        // All threads stop here; a dispatch source cannot let the signal do what it does by itself.
        kill(getpid(), SIGSTOP)
      },
      SignalWatch(SIGCONT) {
        guard tcgetpgrp(screen.output.descriptor) == getpgrp() else { return }
        if needsKeys { _ = TerminalMode.enterKeys() }
        screen.resume()
      },
    ]
  }

  func end() {
    for watch in watches { watch.cancel() }
  }
}
