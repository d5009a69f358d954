/// What happens to a command on its way, as its reactions hear of it.
public enum CommandEvent<Subject: Command>: Sendable {
  /// It is under way.
  case progress

  /// A result. A handler may publish several; the one it returns comes last.
  case data(Subject.Output)

  /// Something failed. What a handler throws comes last.
  case error(any Error)
}

extension CommandEvent {
  /// The result, if it is one.
  public var output: Subject.Output? {
    if case .data(let output) = self { output } else { nil }
  }
}
