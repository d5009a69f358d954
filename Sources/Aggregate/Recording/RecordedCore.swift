import Streams

/// The part of an aggregator that is kept by its streams and sources, as those use it who record its events.
package protocol RecordedCore: AnyObject, Sendable {
  associatedtype Item
  associatedtype Garbage

  var recording: Lock<RecordingUse<RecordingHook<Item, Garbage>>> { get }

  /// Has a hook told of each event from then on, behind everything that was accepted.
  ///
  /// - Parameter prepare: runs before the first event, while no other thread reads. What it returns is released behind
  ///   that.
  func begin<Released>(_ hook: RecordingHook<Item, Garbage>, _ prepare: @escaping @Sendable () -> Released)

  /// Has a hook told of nothing more.
  func end(_ hook: RecordingHook<Item, Garbage>)

  /// Ends the aggregator, and runs an action behind all that it has accepted.
  func finish(then action: @escaping @Sendable () -> Void)

  func report(_ diagnostic: AggregatorDiagnostic)

  /// Tells at once of what went wrong on another thread.
  ///
  /// - Returns: `false` if there is no subscriber.
  func tell(_ diagnostic: AggregatorDiagnostic) -> Bool
}
