import Foundation
import Synchronization

/// Calls a handler, on a thread where anything may be called, when the program gets a signal. The watch is in place
/// when it has been made: a program that stops then sees it when it goes on.
///
/// The source is behind a `Mutex` and not behind the `Lock` of the libraries, because a `Lock` takes only what is
/// `Sendable`, which a dispatch source does not say of itself.
final class SignalWatch: Sendable {
  private let number: Int32
  private let source: Mutex<any DispatchSourceSignal>

  init(_ number: Int32, handler: @escaping @Sendable () -> Void) {
    self.number = number
    // The signal reaches the source only if it does not end the program first.
    signal(number, SIG_IGN)
    // A queue of its own has a thread also when the pool, one of whose threads waits here, has none.
    let queue = DispatchQueue(label: "Playground.SignalWatch")
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    let isInPlace = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isInPlace.signal() }
    source.setEventHandler(handler: handler)
    source.resume()
    isInPlace.wait()
    self.source = Mutex(source)
  }

  /// Lets the signal do what it does by itself.
  func cancel() {
    source.withLock { $0.cancel() }
    signal(number, SIG_DFL)
  }

  /// Lets a signal reach the thread of the caller. Threads of Dispatch block all signals.
  static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
