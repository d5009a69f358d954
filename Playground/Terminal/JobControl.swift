import Foundation

/// Gives the terminal back to the shell when the user stops the program with `^Z`, and takes it again when the program
/// goes on in the foreground. In the background (`&`, `bg`) the program waits for that, as other programs with a screen
/// do.
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
        guard !Self.isInBackground(screen.output) else { return Self.waitForForeground() }
        if needsKeys { _ = TerminalMode.enterKeys() }
        screen.resume()
      },
    ]
    if Self.isInBackground(screen.output) {
      // Where no shell can let the program go on, nothing stops it. It draws nothing then.
      screen.suspend()
      Self.waitForForeground()
    }
  }

  private static func isInBackground(_ output: Output) -> Bool {
    let group = tcgetpgrp(output.descriptor)
    return group > 0 && group != getpgrp()
  }

  /// Stops the program as the system stops one that writes to the terminal of another. The signal goes to this thread,
  /// so that it has done so when this returns.
  private static func waitForForeground() {
    SignalWatch.unblock(SIGTTOU)
    pthread_kill(pthread_self(), SIGTTOU)
  }

  func end() {
    for watch in watches { watch.cancel() }
  }
}
