/// The result of the rest of the chain, and of a middleware.
public enum Interception: Sendable, Hashable {
  /// The command reached its handler and was handled, or the event was delivered.
  case passed

  /// A middleware stopped it.
  case stopped
}
