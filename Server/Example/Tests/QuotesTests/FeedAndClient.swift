import NIOCore
import NIOPosix
import RASPServer
import Streams

/// A feed of ticks of 5,000 instruments, which writes as fast as it is read. Every 1,000th tick is bad.
struct Feed {
  let port: Int
  private let serving: Task<Void, any Error>

  /// - Parameter rate: ticks a second at most.
  init(rate: Double = .infinity) async throws {
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
          try? await connection.executeThenClose { _, outbound in
            let start = ContinuousClock.now
            for packet in 0... {
              // 7,919 is a prime, so all instruments come in turn.
              let ticks = (packet * 100..<(packet + 1) * 100).map {
                "S\($0 * 7_919 % 5_000) \($0 % 1_000 == 999 ? -1 : 100 + $0 % 50)\n"
              }
              try await outbound.write(ByteBuffer(string: ticks.joined()))
              if rate.isFinite { try await Task.sleep(until: start + .seconds(Double(packet * 100) / rate)) }
            }
          }
        }
      }
    }
  }

  func end() { serving.cancel() }
}

/// A client over a bare socket.
struct Client: Sendable {
  let port: Int

  /// The answer to a request that is repeated until it contains a text.
  func get(_ path: String, until text: String) async throws -> String {
    while true {
      var answer = ""
      for try await line in lines(path, "Connection: close\r\n").values(buffering: .unbounded) { answer += line + "\n" }
      if answer.contains(text) { return answer }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// The lines of a path.
  func lines(_ path: String, _ headers: String = "") -> Observable<String, any Error> {
    .lines(from: .host("127.0.0.1", port: port), sending: request(path, headers))
  }

  /// Asks for a path, and lets the answer stay in the socket.
  func openAndReadNothing(_ path: String) async throws -> any Channel {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.autoRead, value: false).channelOption(.socketOption(.so_rcvbuf), value: 4_096)
      .connect(host: "127.0.0.1", port: port).get()
    try await channel.writeAndFlush(ByteBuffer(string: request(path, "")))
    return channel
  }

  private func request(_ path: String, _ headers: String) -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
  }
}
