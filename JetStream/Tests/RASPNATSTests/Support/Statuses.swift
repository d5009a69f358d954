import NIOCore
import NIOPosix
import RASPNATS
import ServerSupport
import Streams
import Testing

/// Whether this machine has the address ::1.
let hasIPv6 =
  (try? SocketAddress(ipAddress: "::1", port: 0)).map { address in
    let channel = try? ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(to: address).wait()
    channel?.close(promise: nil)
    return channel != nil
  } ?? false

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

extension NATSSubscription {
  /// One message after the other.
  var messages: some AsyncSequence<NATSMessage, any Error> {
    AsyncThrowingStream { try await nextBatch() }.flatMap { batch in
      AsyncThrowingStream { continuation in
        for message in batch { continuation.yield(message) }
        continuation.finish()
      }
    }
  }
}
