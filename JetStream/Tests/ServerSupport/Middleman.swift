import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Somebody between clients and their server, who passes on what both say. He may change what the server says first,
/// and by a script he keeps messages of clients to himself, or answers them in place of the server.
///
/// Safe to share: what changes is behind the lock.
public final class Middleman: Sendable {
  /// Makes other words of those that the server says first.
  public typealias Change = @Sendable (String) -> String

  /// A message of a client.
  public struct Request: Sendable {
    /// Where it goes.
    public var subject: String
    /// The lines of its headers, with the first one; empty if there are none.
    public var headers: String
    /// What it carries.
    public var payload: String
  }

  /// What becomes of a message of a client.
  public enum Reaction: Sendable {
    /// The server gets it, and answers.
    case pass
    /// The server gets it, and its answer is lost.
    case passInSilence
    /// The server gets it, and the client gets this answer in place of that of the server.
    case passAndAnswer(String)
    /// The server does not get it, and the client gets this answer.
    case answer(String)
  }

  /// Is asked for each message of a client, on the event loop of its connection.
  public typealias Script = @Sendable (Request) -> Reaction

  private struct State: Sendable {
    var change: Change?
    var clients: [any Channel] = []
    var listening: (any Channel)?
  }

  private let state = NIOLockedValueBox(State())

  /// Listens on a port of its own.
  ///
  /// - Parameters:
  ///   - server: the port of the server.
  ///   - script: what becomes of the messages of clients, which are not encrypted then.
  public init(to server: Int, script: Script? = nil) async throws {
    let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
      .childChannelInitializer { [self] client in
        let change = state.withLockedValue { state in
          state.clients.append(client)
          return state.change
        }
        return ClientBootstrap(group: client.eventLoop)
          .channelInitializer { server in
            server.eventLoop.makeCompletedFuture {
              let answers: any ChannelHandler =
                if script == nil { Forwarder(to: client, change) } else { AnswerForwarder(to: client) }
              try server.pipeline.syncOperations.addHandler(answers)
            }
          }
          .connect(host: "127.0.0.1", port: server)
          .flatMapThrowing { server in
            let requests: any ChannelHandler =
              if let script { RequestForwarder(to: server, script) } else { Forwarder(to: server, nil) }
            try client.pipeline.syncOperations.addHandler(requests)
          }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    state.withLockedValue { $0.listening = listening }
  }

  deinit { state.withLockedValue { $0.listening }?.close(promise: nil) }

  /// The port for clients.
  public var port: Int { state.withLockedValue { $0.listening?.localAddress?.port ?? 0 } }

  /// Changes what the server says first on later connections.
  public func change(_ change: Change?) { state.withLockedValue { $0.change = change } }

  /// Cuts all connections.
  public func cut() {
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

/// Passes on what a server says, in whole operations, so that another answer may stand between any two of them.
private final class AnswerForwarder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let client: any Channel
  private var cutter = OperationCutter()

  init(to client: any Channel) { self.client = client }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    cutter.append(unwrapInboundIn(data))
    while let operation = cutter.next() { client.writeAndFlush(operation.bytes, promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Passes on what a client says, as a script tells.
private final class RequestForwarder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let server: any Channel
  private let script: Middleman.Script
  private var cutter = OperationCutter()
  /// The subjects to which the client has subscribed, and the numbers of the subscriptions.
  private var subscriptions: [(subject: Substring, number: Substring)] = []

  init(to server: any Channel, _ script: @escaping Middleman.Script) {
    self.server = server
    self.script = script
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    cutter.append(unwrapInboundIn(data))
    while let operation = cutter.next() {
      switch operation.words.first {
      case "SUB":
        subscriptions.append((operation.words[1], operation.words[operation.words.count - 1]))
        server.writeAndFlush(operation.bytes, promise: nil)
      case "PUB", "HPUB": take(operation, context.channel)
      default: server.writeAndFlush(operation.bytes, promise: nil)
      }
    }
  }

  private func take(_ message: OperationCutter.Operation, _ client: any Channel) {
    // HPUB subject [reply] headers all, and PUB subject [reply] all.
    let sizes = message.words[0] == "HPUB" ? 2 : 1
    let reply = message.words.count > 2 + sizes ? message.words[2] : nil
    let headers = sizes == 2 ? Int(message.words[message.words.count - 2]) ?? 0 : 0
    var body = message.body
    let block = body.readString(length: headers) ?? ""
    let request = Middleman.Request(subject: String(message.words[1]), headers: block, payload: String(buffer: body))
    switch script(request) {
    case .pass: server.writeAndFlush(message.bytes, promise: nil)
    case .passInSilence: server.writeAndFlush(withoutReply(message, sizes), promise: nil)
    case .passAndAnswer(let answer):
      server.writeAndFlush(withoutReply(message, sizes), promise: nil)
      tell(answer, to: reply, client)
    case .answer(let answer): tell(answer, to: reply, client)
    }
  }

  /// A server that is not told where to answer does as it is told, and answers nowhere.
  private func withoutReply(_ message: OperationCutter.Operation, _ sizes: Int) -> ByteBuffer {
    let words = message.words.prefix(2) + message.words.suffix(sizes)
    var bytes = ByteBuffer(string: words.joined(separator: " ") + "\r\n")
    bytes.writeImmutableBuffer(message.body)
    bytes.writeString("\r\n")
    return bytes
  }

  private func tell(_ answer: String, to reply: Substring?, _ client: any Channel) {
    guard let reply else { return }
    let subscription = subscriptions.last { subject, _ in
      subject == reply || subject.hasSuffix(".*") && reply.hasPrefix(subject.dropLast())
    }
    guard let subscription else { return }
    let text = "MSG \(reply) \(subscription.number) \(answer.utf8.count)\r\n\(answer)\r\n"
    client.writeAndFlush(ByteBuffer(string: text), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) { server.close(promise: nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Cuts bytes into the operations of the protocol: a line, and what stands behind the line of a message.
private struct OperationCutter {
  struct Operation {
    /// All of it, with the ends of its lines.
    var bytes: ByteBuffer
    /// The words of its line.
    var words: [Substring]
    /// The headers and the payload of a message.
    var body: ByteBuffer
  }

  private var bytes = ByteBuffer()

  mutating func append(_ more: ByteBuffer) { bytes.writeImmutableBuffer(more) }

  /// - Returns: `nil` if the next one has not come whole.
  mutating func next() -> Operation? {
    let view = bytes.readableBytesView
    guard let feed = view.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let length = feed - view.startIndex + 1
    let line = bytes.getString(at: bytes.readerIndex, length: length - 2) ?? ""
    let words = line.split(separator: " ")
    let isMessage = ["PUB", "HPUB", "MSG", "HMSG"].contains(words.first)
    let size = isMessage ? Int(words.last ?? "") ?? 0 : 0
    let whole = length + (isMessage ? size + 2 : 0)
    guard bytes.readableBytes >= whole, let operation = bytes.readSlice(length: whole) else { return nil }
    let body = operation.getSlice(at: operation.readerIndex + length, length: size) ?? ByteBuffer()
    return Operation(bytes: operation, words: words, body: body)
  }
}
