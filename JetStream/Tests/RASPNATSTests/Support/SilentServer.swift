import NIOCore
import NIOPosix

/// A port that takes connections and never says anything, or says one thing.
enum SilentServer {
  static func withPort(saying text: String? = nil, _ body: (Int) async throws -> Void) async throws {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        if let text { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .bind(host: "127.0.0.1", port: 0).get()
    try await body(channel.localAddress?.port ?? 0)
    try await channel.close()
  }
}
