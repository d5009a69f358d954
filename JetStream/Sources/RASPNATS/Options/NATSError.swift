/// Why a server could not be asked, or what it refused. The description names the server and the remedy.
package enum NATSError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A text is not the address of a server.
  case invalidAddress(String)

  /// No server could be reached. The reason is that of the server that was tried last.
  case unreachable(servers: [String], reason: String)

  /// The server refuses the credentials.
  case unauthorized(server: String, reason: String)

  /// No encrypted connection could be made.
  case tls(server: String, reason: String)

  /// The seed of a key is not one.
  case invalidSeed(reason: String)

  /// A file with credentials has none.
  case invalidCredentials(file: String, reason: String)

  /// There is no connection now, and what was to be sent was **not** sent.
  case disconnected(server: String, reason: String)

  /// The connection ended after something was sent and before its answer came: it was done, or was not.
  case connectionLost(server: String, reason: String)

  /// The client was closed.
  case closed

  /// There was no answer in time: what was asked for was done, or was not.
  case timedOut(server: String, subject: String, limit: Duration)

  /// It could not be sent in time. Nothing of it has left this machine.
  case notSent(server: String, subject: String, limit: Duration)

  /// There is no subscriber that could answer.
  case noResponders(server: String, subject: String)

  /// The message is longer than the server takes. It was not sent.
  case payloadTooLarge(server: String, bytes: Int, greatest: Int)

  /// The text is no subject, or has wildcards where there can be none. Nothing was sent.
  case invalidSubject(String)

  /// The header has a name or a text that cannot be sent. Nothing was sent.
  case invalidHeader(String)

  /// A subscription was ended because what it received was not read. All that came before is delivered first.
  case slowConsumer(subject: String, unread: Int, bytes: Int)

  /// The server does not allow the subject.
  case notPermitted(server: String, reason: String)

  /// The server has said something that is not the protocol.
  case protocolViolation(server: String, reason: String)

  /// The server has not answered a sign of life.
  case stale(server: String, silence: Duration)

  /// The server has refused something, in its own words.
  case refused(server: String, reason: String)

  /// The task was cancelled. What was sent already may be done.
  case cancelled

  /// Whether the same call may succeed a moment later.
  package var isTemporary: Bool {
    switch self {
    case .unreachable, .disconnected, .connectionLost, .notSent, .timedOut, .noResponders, .stale: true
    default: false
    }
  }

  /// A sentence in English, with the remedy.
  package var description: String {
    switch self {
    case .invalidAddress(let text):
      "\"\(text)\" is not the address of a NATS server. Write nats://host:4222, or tls://host:4222."
    case .unreachable(let servers, let reason):
      """
      No NATS server could be reached at \(servers.joined(separator: ", ")): \(reason). Start one with `nats-server -js`, or \
      correct the address.
      """
    case .unauthorized(let server, let reason):
      """
      \(server) refuses the credentials: \(reason). Set `credentials` of NATSOptions to a user and a password, a token or \
      a key that the configuration of the server knows.
      """
    case .tls(let server, let reason):
      """
      No encrypted connection to \(server): \(reason). Give the certificate of its authority in `tls` of NATSOptions, and \
      use the name that stands in the server's certificate.
      """
    case .invalidSeed(let reason):
      "The seed of the key cannot be used: \(reason). Take the line that begins with SU of a file made by `nk -gen user`."
    case .invalidCredentials(let file, let reason):
      "The credentials in \(file) cannot be used: \(reason). Make the file by `nsc generate creds`."
    case .disconnected(let server, let reason):
      "There is no connection to \(server) now, so nothing was sent: \(reason). The client connects again by itself; retry."
    case .connectionLost(let server, let reason):
      """
      The connection to \(server) ended before the answer came: \(reason). What was sent was received, or was not: ask \
      again only if doing it twice does no harm.
      """
    case .closed:
      "The NATS client was closed. Connect a new one."
    case .timedOut(let server, let subject, let limit):
      """
      \(server) has not answered "\(subject)" within \(limit). What was sent was done, or was not. Look whether the server \
      is overloaded, or set a greater `requestTimeLimit`.
      """
    case .notSent(let server, let subject, let limit):
      """
      "\(subject)" could not be sent to \(server) within \(limit), so nothing was done. Look whether the server is there \
      and not overloaded, and try again.
      """
    case .noResponders(let server, let subject):
      """
      \(server) has no subscriber for "\(subject)". Start the service that answers; for JetStream start the server with \
      `-js` and make the stream.
      """
    case .payloadTooLarge(let server, let bytes, let greatest):
      """
      A message of \(bytes) bytes is longer than the \(greatest) that \(server) takes, so it was not sent. Send it in \
      parts, or set `max_payload` in the configuration of the server.
      """
    case .invalidSubject(let subject):
      "\"\(subject)\" cannot be used here as a subject. Words stand between points, without spaces; wildcards only subscribe."
    case .invalidHeader(let name):
      "The header \"\(name)\" cannot be sent: a name has no spaces and colons, and neither it nor its text has line breaks."
    case .slowConsumer(let subject, let unread, let bytes):
      """
      The subscription to "\(subject)" was ended, because \(unread) messages (\(bytes) bytes) were not read. Read faster, let \
      the server wait by flow control, or set a greater `subscriptionLimit`.
      """
    case .notPermitted(let server, let reason):
      "\(server) does not permit it: \(reason). Add the subject to the permissions of the user."
    case .protocolViolation(let server, let reason):
      "\(server) does not speak the NATS protocol: \(reason). Look whether the port is that of clients."
    case .stale(let server, let silence):
      "\(server) was silent for \(silence), so the connection was given up. Look whether it is stopped or overloaded."
    case .refused(let server, let reason):
      "\(server) says: \(reason)."
    case .cancelled:
      "The task that waited for the NATS server was cancelled. What was sent already may be done."
    }
  }
}
