import NIOCore

@testable import RASPNATS

/// Operations as texts that can be compared.
enum ParsedText {
  static func of(_ operation: ServerOperation) -> String {
    switch operation {
    case .info(let json): "INFO \(json.readableBytes)"
    case .ping: "PING"
    case .pong: "PONG"
    case .ok: "OK"
    case .error(let text): "ERR \(text)"
    case .message(let message, let subscription):
      """
      MSG \(message.subject) \(subscription) \(message.reply ?? "-") \(message.headers.fields) \(message.status ?? 0) \
      \(message.headers.status?.text ?? "-") \(Array(message.payload.readableBytesView))
      """
    }
  }

  /// All operations of bytes that come in pieces.
  static func all(of pieces: some Sequence<ArraySlice<UInt8>>) throws(ProtocolViolation) -> [String] {
    var parser = ProtocolParser()
    var texts: [String] = []
    for piece in pieces {
      parser.append(ByteBuffer(bytes: piece))
      while let operation = try parser.next() { texts.append(of(operation)) }
    }
    return texts
  }
}
