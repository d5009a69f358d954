import RASPSupport
public import Streams

/// A run as it is drawn: what happened in each lane, when, by which cause, and what it changed, as text.
///
/// It is a value without the types of states and events, so that one timeline can show all that one ``Insight`` has
/// recorded. Equal timelines make equal drawings: ``marbles`` for a terminal or a document, and ``page`` for a person
/// who looks for something.
///
/// The texts may hold anything. What a text format cannot hold is escaped or cut where it is drawn.
public struct Timeline: Sendable, Equatable {
  /// A field of a state and its value, as text.
  public struct Field: Sendable, Equatable {
    /// The way to the field from the state: `.location.latitude`, `.devices["a"].level`; empty for the state itself.
    public var path: String
    /// The value.
    public var value: String

    /// Makes a field.
    public init(path: String, value: String) {
      self.path = path
      self.value = value
    }
  }

  /// A field that was changed. `nil` stands for a field that is not there.
  public struct Change: Sendable, Equatable {
    /// The way to the field from the state.
    public var path: String
    /// The value before.
    public var old: String?
    /// The value after.
    public var new: String?

    /// Makes a change.
    public init(path: String, old: String?, new: String?) {
      self.path = path
      self.old = old
      self.new = new
    }
  }

  /// The kind of what a lane shows.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: String, Sendable, Equatable {
    /// An aggregator, or one of rows: its events.
    case aggregator
    /// An engine: its commands, and what they have caused.
    case engine
    /// A cluster of services: its actions.
    case cluster
  }

  /// One recorded aggregator, engine or cluster.
  public struct Lane: Sendable, Equatable {
    /// The number that causes have; see `Cause.lane`.
    public var number: Int
    /// The name, as a person gave it.
    public var name: String
    /// What is recorded there.
    public var kind: Kind
    /// The fields of the state before the first occurrence. Empty if there is no state.
    public var initial: [Field]

    /// Makes a lane.
    public init(number: Int, name: String, kind: Kind, initial: [Field]) {
      self.number = number
      self.name = name
      self.kind = kind
      self.initial = initial
    }
  }

  /// One thing that happened: an event that was folded, a command that was executed, an action.
  public struct Occurrence: Sendable, Equatable {
    /// Its identity: the number of its lane, and its number in the lane.
    public var id: Cause
    /// When it happened, since the origin of the clock.
    public var time: Duration
    /// How long it took; `nil` for what takes no time.
    public var duration: Duration?
    /// What it is, on one line: `.heading(91.0)`.
    public var label: String
    /// What brought it about; `.unknown` if that is not known.
    public var cause: Cause
    /// The reason for which it was refused or failed; `nil` if it was not.
    public var failure: String?
    /// What it changed in the state of its lane.
    public var changes: [Change]

    /// Makes an occurrence.
    public init(
      id: Cause,
      time: Duration,
      duration: Duration? = nil,
      label: String,
      cause: Cause = .unknown,
      failure: String? = nil,
      changes: [Change] = []
    ) {
      self.id = id
      self.time = time
      self.duration = duration
      self.label = label
      self.cause = cause
      self.failure = failure
      self.changes = changes
    }
  }

  /// The lanes, in the order in which they are drawn.
  public var lanes: [Lane]

  /// What happened, in an order in which each cause comes before its effects, and each lane has rising numbers.
  public var occurrences: [Occurrence]

  /// The wall time at which the clock stood at zero, since 1970 (UTC); `nil` if it is not known. The drawings show when
  /// the run began.
  public var clockOrigin: Duration?

  /// Makes a timeline. All drawings draw it, also if it is not as ``occurrences`` says: a cause that is not there, or
  /// that comes later, has no arrow, and a lane that is not listed is drawn behind the others.
  public init(lanes: [Lane], occurrences: [Occurrence], clockOrigin: Duration? = nil) {
    self.lanes = lanes
    self.occurrences = occurrences
    self.clockOrigin = clockOrigin
  }
}
