import Foundation
import Streams
import Synchronization

extension Observable where Element == Void, Failure == Never {
  /// The user's wish to end the run (`^C`, `kill`, or a terminal that is closed): a source made by hand around what the
  /// system offers.
  ///
  /// It is sent once. A second interrupt ends the program at once, but for that of a terminal: shell and system both
  /// tell that it was closed.
  static var interrupts: Observable {
    Observable { producer in
      let hasSent = Once()
      for number in [SIGINT, SIGTERM, SIGHUP] {
        let watch = SignalWatch(number) {
          if hasSent.isFirst {
            producer.send(())
          } else if number != SIGHUP {
            ExitStatus.interrupted.exit()
          }
        }
        producer.onTermination { watch.cancel() }
      }
    }
  }
}

/// Tells the first call from the others.
private final class Once: Sendable {
  private let isDone = Atomic<Bool>(false)

  var isFirst: Bool { !isDone.exchange(true, ordering: .relaxed) }
}
