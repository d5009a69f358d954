import Streams

/// Something that happened in a recorded engine or cluster: the execution of a command, an event of a command, an
/// action.
///
/// ```
///   execution 16 ──▶ event 17 ──▶ action 4 of a cluster
///                ──▶ event 18
/// ```
@usableFromInline
package struct Occurrence: Sendable {
  @usableFromInline
  package enum Kind: Sendable, Hashable {
    /// A command was executed. The subject is the command.
    case execution
    /// An event was published. The subject is the `CommandEvent`; of a fact, that of its `FactCommand`.
    case event
    /// An action was sent. The subject is the action.
    case action
  }

  @usableFromInline
  package enum Outcome: Sendable {
    case handled
    /// It was stopped or dropped, or it was not handled.
    case stopped
    case failed(any Error)
  }

  package struct End: Sendable {
    package let outcome: Outcome
    /// The time since the origin of the recorder's clock.
    package let time: Duration

    package init(outcome: Outcome, time: Duration) {
      self.outcome = outcome
      self.time = time
    }
  }

  /// Rises by one in its lane, whatever the kind. The first one has the number 1.
  package let number: Int
  package let kind: Kind
  /// What it was about, as it is: text is made of it by those who read.
  package let subject: any Sendable
  /// What brought it about. The cause of an event is the execution that published it.
  package let cause: Cause
  /// The time at which it began, since the origin of the recorder's clock.
  package let time: Duration
  /// The end of an execution or of an action; `nil` for an event, and while it is running.
  package var end: End?

  package init(number: Int, kind: Kind, subject: any Sendable, cause: Cause, time: Duration) {
    self.number = number
    self.kind = kind
    self.subject = subject
    self.cause = cause
    self.time = time
  }
}
