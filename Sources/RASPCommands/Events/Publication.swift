/// What became of an event that was published.
public enum Publication: Sendable {
  /// It passed the middleware and is delivered to the reactions: before `publish` returned, if nobody else was delivering
  /// an event of this type of command, and otherwise by whoever is.
  case published

  /// A middleware did not let it through: no reaction hears of it.
  case stopped

  /// A middleware failed. Its error was published in place of the event.
  case failed(any Error)

  /// It came too late: the handler had returned, the execution was cancelled, or the engine was invalidated.
  case refused
}
