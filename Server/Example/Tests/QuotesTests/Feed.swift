import NIOCore
import NIOPosix

/// A feed of ticks of many instruments, which writes as fast as it is read. Every 1,000th tick is bad.
struct Feed {
  static let instruments = 5_000
  let port: Int
  private let serving: Task<Void, any Error>

  /// - Parameter rate: ticks a second at most.
  init(rate: Int = .max) async throws {
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    port = server.channel.localAddress?.port ?? 0
    serving = Task {
      try await server.executeThenClose { connections in
        for try await connection in connections {
          try? await connection.executeThenClose { _, outbound in try await Self.write(to: outbound, rate: rate) }
        }
      }
    }
  }

  func end() { serving.cancel() }

  private static func write(to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, rate: Int) async throws {
    let start = ContinuousClock.now
    var count = 0
    while true {
      var packet = ByteBuffer()
      for _ in 0..<100 {
        // A prime that has no factor of the number of instruments, so all of them come in turn.
        packet.writeString("S\(count &* 7_919 % instruments) \(count % 1_000 == 999 ? -1 : 100 + count % 50)\n")
        count += 1
      }
      try await outbound.write(packet)
      if rate < .max { try await Task.sleep(until: start + .seconds(Double(count) / Double(rate))) }
    }
  }
}
