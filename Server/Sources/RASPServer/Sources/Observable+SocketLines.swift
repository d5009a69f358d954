import NIOCore
import NIOPosix
public import Streams

/// Where the lines of a socket come from.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum LineServer: Sendable, Hashable {
  /// A host, by name or address, and a port of TCP.
  case host(String, port: Int)

  /// A socket in the file system.
  case unixSocket(path: String)
}

extension Observable where Element == String, Failure == any Error {
  /// Connects to a server, and sends the lines that it writes.
  ///
  ///     let ticks = Observable.lines(from: .host("feed.example.org", port: 7000), sending: "subscribe all\n")
  ///       .compactMap(Tick.init)
  ///
  /// Each subscription is a connection. The stream finishes when the server ends the connection; a half line comes
  /// before. What has to be connected again then fails behind it: `.concat(with: Observable.fail(Ended())).retry(…)`.
  ///
  /// - Parameters:
  ///   - server: the server.
  ///   - request: what is written first, such as a command of the server's protocol, with its end of line.
  /// - Backpressure: the socket is not read faster than its lines are handled, so TCP slows the server down. At most
  ///   one packet of 16 KiB is read ahead.
  /// - Errors: fails with the error of NIO if it cannot connect, or if the connection breaks.
  /// - Complexity: a packet is O(bytes), and its lines are sent together. A line of more than 1 MiB comes in pieces.
  public static func lines(from server: LineServer, sending request: String = "") -> Observable {
    Observable { producer in try await server.read(sending: request) { await producer.send(contentsOf: $0) } }
  }
}

extension Observable where Element == [String], Failure == any Error {
  /// Connects to a server, and sends the lines that it writes in packets, as they have come: for `add(packets:)` of an
  /// aggregator, and as ``lines(from:sending:)`` in all else.
  ///
  /// - Complexity: as for ``lines(from:sending:)``.
  public static func linePackets(from server: LineServer, sending request: String = "") -> Observable {
    Observable { producer in try await server.read(sending: request) { await producer.send($0) } }
  }
}

extension LineServer {
  private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// The bytes of a packet. NIO's standard grows to 64 KiB; then what has been read is old before it is folded.
  private static let packetSize = 1 << 14

  fileprivate func read(sending request: String, _ send: ([String]) async -> Bool) async throws {
    try await connect().executeThenClose { inbound, outbound in
      if !request.isEmpty { try await outbound.write(ByteBuffer(string: request)) }
      var splitter = LineSplitter()
      for try await packet in inbound {
        let lines = splitter.lines(of: packet.readableBytesView)
        if !lines.isEmpty {
          guard await send(lines) else { return }
        }
      }
      if let remainder = splitter.remainder() { _ = await send([remainder]) }
    }
  }

  private func connect() async throws -> Connection {
    let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.packetSize))
      .channelOption(.maxMessagesPerRead, value: 1)
    let wrap: @Sendable (any Channel) -> EventLoopFuture<Connection> = { channel in
      channel.eventLoop.makeCompletedFuture {
        try Connection(
          wrappingChannelSynchronously: channel,
          configuration: .init(backPressureStrategy: .init(lowWatermark: 1, highWatermark: 1))
        )
      }
    }
    switch self {
    case .host(let host, let port): return try await bootstrap.connect(host: host, port: port, channelInitializer: wrap)
    case .unixSocket(let path):
      return try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: wrap)
    }
  }
}
