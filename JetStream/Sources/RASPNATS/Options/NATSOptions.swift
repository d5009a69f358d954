public import Logging

/// How a client connects, and how long it waits.
public struct NATSOptions: Sendable {
  /// The name of the client in the reports of the server.
  public var name: String?
  /// With what the client shows who it is.
  public var credentials: NATSCredentials = .none
  /// How the connection is encrypted. An address that begins with `tls://` is encrypted also if this is `nil`, with the
  /// authorities of the system.
  public var tls: NATSTLS?
  /// How long a request waits for its answer if it does not say so itself.
  public var requestTimeLimit: Duration = .seconds(5)
  /// How long one attempt to connect to one server may take, from the name to the server's first answer.
  public var connectTimeLimit: Duration = .seconds(5)
  /// How long the client waits before it connects again.
  public var reconnection = NATSBackoff()
  /// How often the client asks the server for a sign of life. Two intervals of silence end the connection.
  public var pingInterval: Duration = .seconds(20)
  /// The number of bytes that may wait to be written. Above it what sends waits; without a connection it fails.
  public var writeLimit = 8 * 1024 * 1024
  /// The number of bytes that a subscription may have received and not read, with what each message takes beside them.
  /// Above it the subscription ends with an error, and its reader begins anew. The standard is twice what the flow
  /// control of JetStream sends ahead.
  public var subscriptionLimit = 64 * 1024 * 1024
  /// The first word of the subjects of answers, for users who may subscribe to few subjects only.
  public var inboxPrefix = "_INBOX"
  /// To which it is written what becomes of connections and subscriptions; nowhere, if you say nothing.
  ///
  /// | level | what |
  /// |---|---|
  /// | error | subscriptions and messages that the server refuses, servers that break the protocol |
  /// | warning | connections that ended, subscriptions that were read too slowly |
  /// | notice | connections that are there again, servers that are about to stop, other things a server refuses |
  /// | debug | first connections, attempts that failed |
  public var logger = Logger(label: "rasp.nats", factory: { _ in SwiftLogNoOpLogHandler() })

  /// Makes options that suit a server on this machine or in this network.
  public init() {}
}
