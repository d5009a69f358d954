/// With what a client shows who it is.
///
/// A user and a password in the address of a server are used if the options have no credentials. What is secret stands
/// in no text: neither `print` nor `dump` shows it.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
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
  /// The path of a `.creds` file as `nsc` and Synadia Cloud make it: a JWT, which the server is told, and the seed with
  /// which the client signs. It is read for each connection, so a file that is replaced counts from then on.
  case file(String)
}

extension NATSCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of the credentials, without what is secret.
  public var description: String {
    switch self {
    case .none: "none"
    case .user(let name, _): "user \(name), with a password"
    case .token: "a token"
    case .key: "the key of a user"
    case .file(let path): "the file \(path)"
    }
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The same as ``description``, for `dump`.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}
