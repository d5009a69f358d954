import NIOCore
import NIOPosix
import RASPServer
import Streams
import Testing
import UnixSignals

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("lines of a socket, and signals", .timeLimit(.minutes(5)))
struct SocketLinesTests {
  @Test(
    "LOAD-98: the lines of a server come as they are read, a half line comes at its end, and the request is written first"
  )
  func lines() async throws {
    try await withServer { request, outbound in
      #expect(request == "subscribe all\n")
      for piece in ["a\nb", "c\r\n", "", "d"] { try await outbound.write(ByteBuffer(string: piece)) }
    } _: { port in
      let server = LineServer.host("127.0.0.1", port: port)
      var lines: [String] = []
      for try await line in Observable.lines(from: server, sending: "subscribe all\n").values(buffering: .unbounded) {
        lines.append(line)
      }
      #expect(lines == ["a", "bc", "d"])
      var packed: [String] = []
      let packets = Observable.linePackets(from: server, sending: "subscribe all\n")
      for try await packet in packets.values(buffering: .unbounded) { packed += packet }
      #expect(packed == lines)
    }
  }

  @Test("LOAD-99: signals come to a subscriber instead of ending the process")
  func signals() async throws {
    let signals = Observable.signals(.sigwinch).values(buffering: .newest(1))
    let sender = Task {
      while !Task.isCancelled {
        kill(getpid(), SIGWINCH)
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    for await signal in signals {
      #expect(signal == .sigwinch)
      break
    }
    sender.cancel()
  }

  /// Serves each connection: reads a line, and lets `answer` write.
  private func withServer(
    answer: @escaping @Sendable (String, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Void,
    _ body: (Int) async throws -> Void
  ) async throws {
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(
      host: "127.0.0.1",
      port: 0
    ) {
      channel in
      channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
      }
    }
    let port = try #require(server.channel.localAddress?.port)
    let serving = Task {
      try await server.executeThenClose { connections in
        for try await connection in connections {
          try await connection.executeThenClose { inbound, outbound in
            var request = ""
            for try await part in inbound {
              request += String(buffer: part)
              if request.hasSuffix("\n") { break }
            }
            try await answer(request, outbound)
          }
        }
      }
    }
    try await body(port)
    serving.cancel()
    _ = await serving.result
  }
}
