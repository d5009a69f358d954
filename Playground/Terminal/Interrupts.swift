import Foundation
import Streams
import Synchronization

extension Observable where Element == Void, Failure == Never {
  /// The user's wish to end the run: `^C`, `kill`, or a terminal that is closed. It is sent once.
  static var interrupts: Observable { Interrupts.wishes.observable }
}

/// The signals that end the program, from its start on: whenever one comes, the terminal is put back.
///
/// The first signal ends the run in order, if there is one. Otherwise it ends the program at once, and so does each
/// further one, but for that of a terminal: shell and system both tell that it was closed.
enum Interrupts {
  fileprivate static let wishes = Subject<Void, Never>()
  private static let wasInterrupted = Atomic<Bool>(false)

  /// Begins to watch.
  static func watch() {
    // A program that is stopped would leave the screen to the shell as it is.
    signal(SIGTSTP, SIG_IGN)
    // A queue of its own has a thread also when the pool, one of whose threads may wait, has none.
    let queue = DispatchQueue(label: "Playground.Interrupts")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // The signal reaches the source only if it does not end the program first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      // The handler keeps the source for as long as the program runs.
      source.setEventHandler { withExtendedLifetime(source) { interrupt(by: number) } }
      source.resume()
    }
  }

  private static func interrupt(by signal: Int32) {
    let isFurther = wasInterrupted.exchange(true, ordering: .relaxed)
    if isFurther, signal == SIGHUP { return }
    guard !isFurther, wishes.observerCount > 0 else { ExitStatus.interrupted.exit() }
    wishes.send(())
  }
}
