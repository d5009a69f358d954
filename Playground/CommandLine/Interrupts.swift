import Dispatch
import Streams

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Observable where Element == Void, Failure == Never {
  /// The user's wish to end the run (`^C`, or `kill`): a source made by hand around what the system offers.
  ///
  /// It is fulfilled once. Who insists ends the program on the spot, as if nobody had subscribed.
  static var interrupts: Observable {
    Observable { producer in
      for number in [SIGINT, SIGTERM] {
        // The source sees the signal only if it does not end the program first.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler {
          signal(number, SIG_DFL)
          producer.send(())
        }
        producer.onTermination {
          source.cancel()
          signal(number, SIG_DFL)
        }
        source.resume()
      }
    }
  }
}
