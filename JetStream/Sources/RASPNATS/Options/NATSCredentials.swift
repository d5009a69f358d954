/// With what a client shows who it is.
///
/// A user and a password in the address of a server are used if the options have no credentials.
public enum NATSCredentials: Sendable, Equatable {
  /// Nothing.
  case none
  /// A user and a password.
  case user(_ name: String, password: String)
  /// A token.
  case token(String)
  /// The seed of a key of a user ("SU…"), with which the client signs what the server sends. The seed never leaves the
  /// process.
  case key(seed: String)
}
