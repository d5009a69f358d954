/// Events of sources that were not appended, or of which that is not known; see ``LoggedAggregator/unappended``.
public struct UnappendedEvents<Event: Sendable>: Sendable {
  /// The events, in their order.
  public let events: [Event]

  /// The partition to which all of them belong.
  public let partition: Int

  /// Why: after ``LogError/unacknowledged(log:partition:)`` they may be in the log, and after
  /// ``LogError/wentBack(log:partition:newest:wanted:)`` they are.
  public let reason: LogError

  /// Makes one, for a test or a preview.
  public init(events: [Event], partition: Int, reason: LogError) {
    (self.events, self.partition, self.reason) = (events, partition, reason)
  }
}
