/// Whether a client has a connection.
package enum NATSStatus: Sendable {
  /// There is a connection, and all subscriptions are known to the server.
  case connected(server: NATSServerInfo)
  /// There is none now. The client tries again; each attempt that fails is told of.
  case disconnected(NATSError)
  /// The client was closed, or has given up.
  case closed
}
