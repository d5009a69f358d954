import NIOCore
import NIOPosix

/// Asks the monitoring address of a server, which speaks HTTP.
package enum Monitoring {
  /// The greatest number of bytes of an answer.
  static let greatestAnswer = 4 << 20

  /// The body of an answer.
  ///
  /// - Parameters:
  ///   - address: as in `http://10.0.0.1:8222`.
  ///   - path: as in `/varz`.
  ///   - tls: how an address that begins with `https://` is encrypted.
  ///   - limit: how long it may take.
  package static func answer(
    of address: String,
    to path: String,
    tls: NATSTLS?,
    limit: Duration
  ) async throws(NATSError) -> ByteBuffer {
    let isEncrypted = address.hasPrefix("https://")
    guard isEncrypted || address.hasPrefix("http://") else { throw .invalidAddress(address) }
    let place = try ServerAddress(String(address.dropFirst(isEncrypted ? 8 : 7)), standardPort: 8222)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let answer = loop.makePromise(of: ByteBuffer.self)
    let bootstrap = ClientBootstrap(group: loop).connectTimeout(TimeAmount(limit)).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        if isEncrypted {
          try channel.pipeline.syncOperations.addHandler(TLSHandlers.handler(for: tls ?? NATSTLS(), address: place))
        }
        let request = MonitoringRequest(path, of: place.host, answer)
        try channel.pipeline.syncOperations.addHandler(request)
        _ = channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
          request.end("it has not answered")
        }
      }
    }
    bootstrap.connect(host: place.host, port: place.port).cascadeFailure(to: answer)
    do {
      return try await answer.futureResult.get()
    } catch {
      let reason = (error as? MonitoringRequest.Failure)?.reason ?? Session.reason(of: error)
      throw .unreachable(servers: [address], reason: reason)
    }
  }
}

/// Sends one request, and takes what comes until the server closes the connection, as HTTP 1.0 has it.
private final class MonitoringRequest: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  struct Failure: Error {
    let reason: String
  }

  private let request: String
  private var answer: EventLoopPromise<ByteBuffer>?
  private var bytes = ByteBuffer()

  init(_ path: String, of host: String, _ answer: EventLoopPromise<ByteBuffer>) {
    request = "GET \(path) HTTP/1.0\r\nHost: \(host.contains(":") ? "[\(host)]" : host)\r\n\r\n"
    self.answer = answer
  }

  func end(_ reason: String) { answer.take()?.fail(Failure(reason: reason)) }

  func channelActive(context: ChannelHandlerContext) {
    context.channel.writeAndFlush(ByteBuffer(string: request), promise: nil)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var more = unwrapInboundIn(data)
    bytes.writeBuffer(&more)
    guard bytes.readableBytes > Monitoring.greatestAnswer else { return }
    end("its answer has more than \(Monitoring.greatestAnswer) bytes")
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    let text = bytes.readableBytesView
    guard let line = text.firstIndex(of: 13), let end = text.firstRange(of: Array("\r\n\r\n".utf8)) else {
      return self.end("it has closed the connection")
    }
    let words = String(decoding: text[..<line], as: UTF8.self)
    guard words.split(separator: " ").dropFirst().first == "200" else { return self.end("it says \(words)") }
    answer.take()?.succeed(ByteBuffer(text[end.upperBound...]))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A peer that closes TLS without a goodbye has said all: the length of JSON is checked by its reader.
    if bytes.readableBytes == 0 { end("\(error)") }
    context.close(promise: nil)
  }
}
