import Streams

/// What can be recorded beside aggregators: an engine of `RASPCommands` or a cluster of `RASPServices`. `Insight` of
/// `RASPInsight` takes it, and needs neither of the two modules.
///
/// There is nothing to implement.
public protocol ActivitySource: Sendable {
  /// What it hands to those who record it.
  var _activity: _Activity { get }
}

extension ActivitySource {
  /// Begins to record. What happens gets identities from now on.
  package func record(as name: String, last count: Int, clock: TapeClock) -> OccurrenceTape {
    _activity.recorders.record(as: name, last: count, clock: clock)
  }

  /// Ends one use of a tape.
  package func endRecording(onto tape: OccurrenceTape) {
    _activity.recorders.end(tape)
  }
}

/// What an engine or a cluster hands to those who record it. It keeps neither alive.
public struct _Activity: Sendable {
  package enum Kind: Sendable {
    case engine
    case cluster
  }

  package let kind: Kind
  package let recorders: OccurrenceRecorders

  package init(_ kind: Kind, _ recorders: OccurrenceRecorders) {
    self.kind = kind
    self.recorders = recorders
  }
}

/// An event of a command, as a recording shows it.
package protocol RecordedEvent: Sendable {
  /// The name of the command.
  var source: String { get }

  /// Is `true` if the command is running: this is neither a result nor an error.
  var isProgress: Bool { get }

  /// The result, if this is one.
  var data: (any Sendable)? { get }

  /// The error, if this is one.
  var error: (any Error)? { get }
}
