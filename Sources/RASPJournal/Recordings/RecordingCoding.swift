public import Aggregate

/// How a recording is written and read: a ``Coding`` for its states and one for its events.
///
/// ```swift
/// let coding = RecordingCoding(states: .codable(version: 2), events: geoEvents)
/// ```
public struct RecordingCoding<State: AggregateState>: Sendable {
  /// How states are written and read.
  public let states: Coding<State>

  /// How events are written and read.
  public let events: Coding<State.Event>

  /// The loops over events. They are compiled where the coding is made, with its types.
  let loops: EventLoops<State>

  /// Puts two codings together.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init(states: Coding<State>, events: Coding<State.Event>) {
    self.init(states: states, events: events, loops: EventLoops())
  }

  @usableFromInline
  init(states: Coding<State>, events: Coding<State.Event>, loops: EventLoops<State>) {
    self.states = states
    self.events = events
    self.loops = loops
  }
}

extension RecordingCoding where State: Codable {
  /// JSON for states, and another coding for events.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init(events: Coding<State.Event>) {
    self.init(states: .codable, events: events)
  }
}

extension RecordingCoding where State.Event: Codable {
  /// JSON for events, and another coding for states.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init(states: Coding<State>) {
    self.init(states: states, events: .codable)
  }
}

extension RecordingCoding where State: Codable, State.Event: Codable {
  /// JSON for both, in version 1.
  ///
  /// - Complexity: O(1).
  @inlinable public static var codable: RecordingCoding { RecordingCoding(states: .codable, events: .codable) }
}
