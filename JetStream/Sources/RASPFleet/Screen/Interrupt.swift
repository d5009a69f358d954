import Foundation
import Synchronization

/// `^C` and `kill`, which end the fleet in order.
enum Interrupt {
  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  static func watch(_ onInterrupt: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "RASPFleet.Interrupt"))
        source.setEventHandler(handler: onInterrupt)
        source.resume()
        sources.append(source)
      }
    }
  }
}
