import NIOCore

/// What a server says to a client.
enum ServerOperation {
  /// What the server is. The bytes are JSON.
  case info(ByteBuffer)
  /// A message of a subscription.
  case message(NATSMessage, subscription: UInt64)
  case ping
  case pong
  case ok
  /// What the server refuses, without the quotation marks.
  case error(String)
}

/// Why bytes are not the protocol.
struct ProtocolViolation: Error, Equatable {
  var reason: String
}
