import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Somebody between a client and its server, who passes on what both say, and may change what the server says first.
///
/// Safe to share: what changes is behind the lock.
final class Middleman: Sendable {
  typealias Change = @Sendable (String) -> String

  private struct State: Sendable {
    var change: Change?
    var clients: [any Channel] = []
    var listening: (any Channel)?
  }

  private let state = NIOLockedValueBox(State())

  /// Listens on a port of its own.
  ///
  /// - Parameter server: the port of the server.
  init(to server: Int) async throws {
    let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
      .childChannelInitializer { [self] client in
        let change = state.withLockedValue { state in
          state.clients.append(client)
          return state.change
        }
        return ClientBootstrap(group: client.eventLoop)
          .channelInitializer { server in
            server.eventLoop.makeCompletedFuture {
              try server.pipeline.syncOperations.addHandler(Forwarder(to: client, change))
            }
          }
          .connect(host: "127.0.0.1", port: server)
          .flatMapThrowing { server in try client.pipeline.syncOperations.addHandler(Forwarder(to: server, nil)) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    state.withLockedValue { $0.listening = listening }
  }

  deinit { state.withLockedValue { $0.listening }?.close(promise: nil) }

  var port: Int { state.withLockedValue { $0.listening?.localAddress?.port ?? 0 } }

  /// Changes what the server says first on later connections.
  func change(_ change: Change?) { state.withLockedValue { $0.change = change } }

  /// Cuts all connections.
  func cut() {
    let clients = state.withLockedValue { state in
      defer { state.clients = [] }
      return state.clients
    }
    for client in clients { client.close(promise: nil) }
  }
}

/// Passes on what one side says.
private final class Forwarder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let other: any Channel
  private var change: Middleman.Change?

  init(to other: any Channel, _ change: Middleman.Change?) {
    self.other = other
    self.change = change
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if let change = change.take() { bytes = ByteBuffer(string: change(String(buffer: bytes))) }
    other.writeAndFlush(bytes, promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
