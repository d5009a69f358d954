/// The health of a source with a name: see ``HealthBoard``.
///
/// Instants are those of the scheduler that was given with the name. All schedulers of one clock of the standard
/// library count from one origin, so `now` of such a scheduler can be compared with them.
public struct SourceHealth: Sendable {
  /// The condition of a source.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Status: Sendable {
    /// It is subscribed to, and no part of it is down.
    case connected

    /// It has failed, and a `retry` that tells the board waits or tries again. No event has come since.
    case retrying

    /// It has finished.
    case ended

    /// It has failed for good; an aggregator has detached it.
    case failed(any Error)

    /// The subscription to it was cancelled: it was removed or replaced, or its aggregator has finished. It is reported
    /// once by ``HealthBoard/changes``, and is not on the board any more.
    case removed
  }

  /// The name.
  public let name: String

  /// The identity of a source that was added by ``Aggregator/add(_:as:on:)``, as in ``Transition/source`` and
  /// ``SourceFailure/source``; `nil` for another stream.
  public let source: SourceID?

  /// The condition.
  public var status = Status.connected

  /// Is `true` if it is subscribed to, and no part of it is down.
  public var isConnected: Bool { if case .connected = status { true } else { false } }

  /// The instant since which the source is connected: that of the subscription, or of the first event after an outage.
  /// It is `nil` while the source is not connected.
  public var connectedSince: Duration?

  /// The number of tries, the first one included. Those of each `retry` that tells the board count.
  public var attempts = 1

  /// The number of outages. An outage begins with a failure and lasts until an event comes; the failures in between
  /// belong to it.
  public var outages = 0

  /// The number of events.
  public var eventCount = 0

  /// The instant of the last event; `nil` if none has come.
  public var lastEvent: Duration?

  /// Makes the health of a source that is connected and has sent nothing, for a test or a preview.
  public init(name: String, source: SourceID? = nil, connectedSince: Duration? = nil) {
    (self.name, self.source, self.connectedSince) = (name, source, connectedSince)
  }
}
