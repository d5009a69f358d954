import Streams

/// What can be recorded beside aggregators: an engine of `RASPCommands` or a cluster of `RASPServices`. `Insight` of
/// `RASPInsight` takes it, and needs neither of the two modules.
///
/// There is nothing to implement.
public protocol ActivitySource: Sendable {
  /// What it hands to those who record it.
  var _activity: _Activity { get }
}

/// What an engine or a cluster hands to those who record it. It keeps neither alive.
public struct _Activity: Sendable {
  package enum Kind: Sendable {
    case engine
    case cluster
  }

  package let kind: Kind
  package let hook: OccurrenceHook

  package init(_ kind: Kind, _ hook: OccurrenceHook) {
    self.kind = kind
    self.hook = hook
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
