/// What became of what a middleware was given: the rest of the chain answers with it, and so does the middleware.
public enum Interception: Sendable, Hashable {
  /// It went all the way: the handler did it, the event was delivered.
  case passed

  /// Somebody did not let it through.
  case stopped
}
