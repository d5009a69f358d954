import RASPNATS
import ServerSupport
import Streams
import Testing

/// The suites that talk to a server.
let needsServer = ConditionTrait.enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing))

extension NATSClient {
  /// Waits until the client has no connection, and returns why.
  func waitUntilDisconnected() async -> NATSError? {
    for await status in status.values(buffering: .unbounded) {
      if case .disconnected(let error) = status { return error }
    }
    return nil
  }

  /// Waits until the client has a connection to this server.
  func waitUntilConnected(to url: String) async {
    for await status in status.values(buffering: .unbounded) {
      if case .connected(let server) = status, server.url == url { return }
    }
  }

  /// Waits until the client is closed.
  func waitUntilClosed() async {
    for await status in status.values(buffering: .unbounded) {
      if case .closed = status { return }
    }
  }
}
