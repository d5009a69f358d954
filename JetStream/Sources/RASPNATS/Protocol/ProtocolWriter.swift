import NIOCore

/// Writes what a client says to a server.
///
/// Subjects and headers were checked before: what comes here has no spaces and no line breaks where they would be read
/// as something else.
extension ByteBuffer {
  mutating func writePublish(_ payload: ByteBuffer, to subject: String, reply: String?, headers: NATSHeaders) {
    writeMessageStart(to: subject, headers: headers)
    if let reply {
      writeString(reply)
      writeInteger(UInt8(ascii: " "))
    }
    writeMessageRest(payload, headers: headers)
  }

  /// A request, whose answer goes to a subject that ends with a number.
  mutating func writeRequest(
    _ payload: ByteBuffer,
    to subject: String,
    replyPrefix: String,
    token: UInt64,
    headers: NATSHeaders
  ) {
    writeMessageStart(to: subject, headers: headers)
    writeString(replyPrefix)
    writeDecimal(token)
    writeInteger(UInt8(ascii: " "))
    writeMessageRest(payload, headers: headers)
  }

  mutating func writeSubscribe(to subject: String, identifier: UInt64) {
    writeStaticString("SUB ")
    writeString(subject)
    writeStaticString(" ")
    writeDecimal(identifier)
    writeStaticString("\r\n")
  }

  mutating func writeUnsubscribe(identifier: UInt64) {
    writeStaticString("UNSUB ")
    writeDecimal(identifier)
    writeStaticString("\r\n")
  }

  mutating func writePing() {
    writeStaticString("PING\r\n")
  }

  mutating func writePong() {
    writeStaticString("PONG\r\n")
  }

  private mutating func writeMessageStart(to subject: String, headers: NATSHeaders) {
    if headers.isEmpty {
      writeStaticString("PUB ")
    } else {
      writeStaticString("HPUB ")
    }
    writeString(subject)
    writeInteger(UInt8(ascii: " "))
  }

  private mutating func writeMessageRest(_ payload: ByteBuffer, headers: NATSHeaders) {
    if !headers.isEmpty {
      writeDecimal(UInt64(headers.block.readableBytes))
      writeInteger(UInt8(ascii: " "))
    }
    writeDecimal(UInt64(headers.block.readableBytes + payload.readableBytes))
    writeStaticString("\r\n")
    if !headers.isEmpty {
      writeImmutableBuffer(headers.block)
    }
    writeImmutableBuffer(payload)
    writeStaticString("\r\n")
  }

  private mutating func writeDecimal(_ number: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var number = number
      var start = 20
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
        number /= 10
      } while number > 0
      writeBytes(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: digits[start...])))
    }
  }
}
