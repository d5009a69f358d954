public import Streams
public import UnixSignals

extension Observable where Element == UnixSignal, Failure == Never {
  /// The signals that the process gets.
  ///
  ///     let reloads = Observable.signals(.sighup)
  ///
  /// From the first subscription on a signal of this kind does not end the process, on some systems also after the last
  /// subscription has ended. Take one stream for a signal, and share it. Signals that a `ServiceGroup` waits for
  /// are the group's.
  ///
  /// - Parameters:
  ///   - first: a signal.
  ///   - more: others.
  /// - Ordering: a signal that comes before the subscription has been registered with the system, which happens a
  ///   moment behind `subscribe`, does what it did before.
  /// - Completion: never.
  /// - Complexity: O(signals) for each subscription.
  public static func signals(_ first: UnixSignal, _ more: UnixSignal...) -> Observable {
    let signals = [first] + more
    return Observable { producer in
      for await signal in await UnixSignalsSequence(trapping: signals) { await producer.send(signal) }
    }
  }
}
