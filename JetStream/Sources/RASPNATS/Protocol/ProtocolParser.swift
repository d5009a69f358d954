import NIOCore

/// Makes operations of the bytes that come from a server, cut anywhere.
///
/// - Concurrency: a value; its owner is the connection, on its event loop.
/// - Complexity: O(bytes). Bytes that are not a whole operation yet are looked at again only when as many are there as
///   the operation needs, as far as its control line says so.
struct ProtocolParser {
  /// The greatest number of bytes of headers and payload together. The server's own bound is never greater.
  static let greatestBody = 64 * 1024 * 1024

  /// The bytes that came and are not a whole operation yet.
  private var buffer = ByteBuffer()
  private var needed = 1

  /// Whether bytes have come that are no whole operation yet, or were not asked for.
  var hasUnreadBytes: Bool { buffer.readableBytes > 0 }

  /// The memory that it holds.
  var capacity: Int { buffer.capacity }

  /// Takes bytes. Those that are left of the last ones go before them.
  mutating func append(_ bytes: ByteBuffer) {
    guard buffer.readableBytes > 0 else {
      buffer = bytes
      return
    }
    var bytes = bytes
    if buffer.writableBytes < bytes.readableBytes {
      // A buffer of its own: writing to one that messages share would copy all of it. It grows with what has come, and
      // not with what is announced, so that a false length costs nothing.
      let whole = buffer.readableBytes + bytes.readableBytes
      var joined = ByteBufferAllocator().buffer(capacity: min(max(needed, whole), 2 * whole))
      joined.writeBuffer(&buffer)
      buffer = joined
    }
    buffer.writeBuffer(&bytes)
  }

  /// The next operation; `nil` if the rest of it has not come yet.
  mutating func next() throws(ProtocolViolation) -> ServerOperation? {
    guard buffer.readableBytes >= needed else { return nil }
    let frame = buffer.withUnsafeReadableBytes { ProtocolFrame($0, greatestBody: Self.greatestBody) }
    switch frame {
    case .incomplete(let needed):
      assert(needed > buffer.readableBytes, "The parser would look at the same bytes again.")
      self.needed = needed
      return nil
    case .violation(let reason):
      throw ProtocolViolation(reason: reason)
    case .message(let start, let parts, let subscription, let end, let length):
      let bytes = slice(start, end, skipping: length)
      return .message(NATSMessage(bytes: bytes, parts: parts), subscription: subscription)
    case .ping(let length):
      skip(length)
      return .ping
    case .pong(let length):
      skip(length)
      return .pong
    case .ok(let length):
      skip(length)
      return .ok
    case .info(let start, let end, let length):
      return .info(slice(start, end, skipping: length))
    case .error(let start, let end, let length):
      let text = String(buffer: slice(start, end, skipping: length))
      return .error(String(text.drop { $0 == " " || $0 == "'" }.prefix { $0 != "'" }))
    }
  }

  private mutating func slice(_ start: Int, _ end: Int, skipping length: Int) -> ByteBuffer {
    let slice = buffer.getSlice(at: buffer.readerIndex + start, length: end - start) ?? ByteBuffer()
    skip(length)
    return slice
  }

  private mutating func skip(_ length: Int) {
    assert(0 < length && length <= buffer.readableBytes, "An operation has come whole.")
    buffer.moveReaderIndex(forwardBy: length)
    needed = 1
  }
}

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
