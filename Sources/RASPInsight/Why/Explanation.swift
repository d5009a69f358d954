public import Streams

/// The reason why a value is what it is: a chain of causes, from the newest to the oldest.
///
/// ```
/// geo.heading = 91.0, was 359.0
///   by geo #1204 .heading(91.0)                     12.120 s
///   by geo #1189 .location(…)                       12.100 s  .latitude 52.4 → 52.5, .longitude 4.2 → 4.3
///   cause unknown: it came from outside, or on a way that carries no causes
/// ```
///
/// It prints as above: behind the first line stands what a link has changed, if that says more than the link. It can be
/// walked by its ``links``. A link is never guessed: where a cause is not known, the chain
/// ends.
public struct Explanation: Sendable, Equatable {
  /// One thing that happened.
  public struct Link: Sendable, Equatable {
    /// Its identity.
    public var id: Cause
    /// The name of its lane.
    public var lane: String
    /// What it is, on one line: `.heading(91.0)`.
    public var label: String
    /// When it happened, since the origin of the insight's clock.
    public var time: Duration
    /// What brought it about: the identity of the next link, if there is one.
    public var cause: Cause
    /// What it has changed in the field that is explained; `nil` for all but the first link.
    public var change: Timeline.Change?
    /// What it has changed in the state of its lane. Empty for commands and actions, and if only events were kept.
    public var changes: [Timeline.Change]

    /// Its number in the lane.
    public var number: Int { id.number }

    /// Makes a link.
    public init(
      id: Cause,
      lane: String,
      label: String,
      time: Duration,
      cause: Cause = .unknown,
      change: Timeline.Change? = nil,
      changes: [Timeline.Change] = []
    ) {
      self.id = id
      self.lane = lane
      self.label = label
      self.time = time
      self.cause = cause
      self.change = change
      self.changes = changes
    }
  }

  /// The reason for which a chain ends.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum End: Sendable, Equatable {
    /// The cause of the last link is unknown: it came from outside, or on a way that carries no causes.
    case outside
    /// The cause has happened before the oldest event that its lane still has.
    case older(Cause, lane: String)
    /// The cause belongs to a lane that the insight does not record, or not any more.
    case elsewhere(Cause)
    /// No event in the recording has changed the field, so it is as old as the recording at least.
    case unchanged(since: Duration)
    /// Only events were kept, so it is not known what they have changed.
    case withoutStates
    /// There is no event with the number that was asked for.
    case noSuchEvent
  }

  /// What is explained: `geo.heading`, `geo #1204`.
  public let subject: String

  /// The present value of the field, as text; `nil` if an event is explained.
  public let value: String?

  /// What has happened: the change of the field, or the event; then its cause, and so on.
  public let links: [Link]

  /// The reason for which there are no more links.
  public let end: End

  /// Makes an explanation, to compare one with in a test.
  public init(subject: String, value: String?, links: [Link], end: End) {
    self.subject = subject
    self.value = value
    self.links = links
    self.end = end
  }
}
