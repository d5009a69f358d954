import Foundation
import Streams
import Synchronization

extension Observable where Element == Void, Failure == Never {
  /// The user's wish to end the run (`^C`, `kill`, or a terminal that is closed): a source made by hand around what the
  /// system offers. It is sent once.
  static var interrupts: Observable {
    Observable { producer in
      let number = Interrupts.add { producer.send(()) }
      producer.onTermination { Interrupts.remove(number) }
    }
  }
}

/// The signals that end the program, from its start on: whenever one comes, the terminal is put back.
///
/// The first signal ends the run in order, if there is one. Otherwise it ends the program at once, and so does each
/// further one, but for that of a terminal: shell and system both tell that it was closed.
enum Interrupts {
  private struct State {
    var wasInterrupted = false
    var lastNumber = 0
    var handlers: [Int: @Sendable () -> Void] = [:]
  }

  private static let state = Mutex(State())
  private static let watches = Mutex<[SignalWatch]>([])

  /// Begins to watch.
  static func watch() {
    watches.withLock { watches in
      guard watches.isEmpty else { return }
      watches = [SIGINT, SIGTERM, SIGHUP].map { signal in SignalWatch(signal) { interrupt(by: signal) } }
    }
  }

  fileprivate static func add(_ handler: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = handler
      return state.lastNumber
    }
  }

  fileprivate static func remove(_ number: Int) {
    // It is released behind the lock, because a producer may be.
    let handler = state.withLock { $0.handlers.removeValue(forKey: number) }
    withExtendedLifetime(handler) {}
  }

  private static func interrupt(by signal: Int32) {
    let handlers: [@Sendable () -> Void]? = state.withLock { state in
      if state.wasInterrupted { return signal == SIGHUP ? [] : nil }
      state.wasInterrupted = true
      return state.handlers.isEmpty ? nil : Array(state.handlers.values)
    }
    guard let handlers else { ExitStatus.interrupted.exit() }
    for handler in handlers { handler() }
  }
}
