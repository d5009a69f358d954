import Foundation
import Streams
import Synchronization

extension Observable where Element == Void, Failure == Never {
  /// The user's wish to end the run (`^C`, or `kill`): a source made by hand around what the system offers.
  ///
  /// It is sent once. A second interrupt ends the program at once, as if nothing had subscribed.
  static var interrupts: Observable {
    Observable { producer in
      for number in [SIGINT, SIGTERM] {
        let watch = SignalWatch(number) {
          signal(number, SIG_DFL)
          producer.send(())
        }
        producer.onTermination {
          watch.cancel()
          signal(number, SIG_DFL)
        }
      }
    }
  }
}

/// Calls a handler, on a thread where anything may be called, when the program gets a signal.
///
/// The source is behind a `Mutex` and not behind the `Lock` of the libraries, because a `Lock` takes only what is
/// `Sendable`, which a dispatch source does not say of itself.
private final class SignalWatch: Sendable {
  private let source: Mutex<any DispatchSourceSignal>

  init(_ number: Int32, handler: @escaping @Sendable () -> Void) {
    // The signal reaches the source only if it does not end the program first.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler(handler: handler)
    source.resume()
    self.source = Mutex(source)
  }

  func cancel() {
    source.withLock { $0.cancel() }
  }
}
