/// An entry that was passed over by the policy of its log; see ``/RASPJournal/PoisonPolicy``.
public struct SkippedEntry: Sendable, Equatable {
  /// Where it stands.
  public let position: LogPosition

  /// Why it cannot be used.
  public let reason: LogError

  /// Puts both together.
  public init(position: LogPosition, reason: LogError) {
    self.position = position
    self.reason = reason
  }

  /// Whether both are of one place, and have one reason in words.
  public static func == (first: SkippedEntry, second: SkippedEntry) -> Bool {
    first.position == second.position && first.reason.description == second.reason.description
  }
}
