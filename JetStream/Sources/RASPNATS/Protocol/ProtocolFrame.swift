import NIOCore

/// One operation of a server as positions in a buffer, before anything is made of it.
///
/// It is found in one pass over the control line: the searches for a character are those of the C library, and no text
/// is made.
enum ProtocolFrame {
  /// The rest has not come yet. Looking again makes sense when there are at least this many bytes.
  case incomplete(needed: Int)
  case violation(String)
  case ping(length: Int)
  case pong(length: Int)
  case ok(length: Int)
  case info(start: Int, end: Int, length: Int)
  case error(start: Int, end: Int, length: Int)
  case message(start: Int, parts: NATSMessage.Parts, subscription: UInt64, end: Int, length: Int)

  /// The longest control line. The information about a server is the longest one: it names all servers of a cluster.
  static let greatestLine = 512 * 1024

  /// Finds the operation at the start of the bytes.
  ///
  /// - Parameter greatestBody: the greatest number of bytes of headers and payload.
  init(_ bytes: UnsafeRawBufferPointer, greatestBody: Int) {
    guard let newline = bytes.firstIndex(of: 10, from: 0, to: min(bytes.count, Self.greatestLine)) else {
      self =
        bytes.count < Self.greatestLine
        ? .incomplete(needed: bytes.count + 1)
        : .violation("a control line is longer than \(Self.greatestLine) bytes")
      return
    }
    let lineLength = newline + 1
    let end = lineLength > 1 && bytes[lineLength - 2] == 13 ? lineLength - 2 : lineLength - 1
    var line = ControlLine(bytes: bytes, position: 0, end: end)
    switch bytes[0] {
    case UInt8(ascii: "M") where line.skip("MSG "):
      self.init(messageIn: &line, withHeaders: false, bodyStart: lineLength, greatestBody: greatestBody)
    case UInt8(ascii: "H") where line.skip("HMSG "):
      self.init(messageIn: &line, withHeaders: true, bodyStart: lineLength, greatestBody: greatestBody)
    case UInt8(ascii: "P") where line.isWord("PING"): self = .ping(length: lineLength)
    case UInt8(ascii: "P") where line.isWord("PONG"): self = .pong(length: lineLength)
    case UInt8(ascii: "+") where line.isWord("+OK"): self = .ok(length: lineLength)
    case UInt8(ascii: "I") where line.skip("INFO "): self = .info(start: line.position, end: end, length: lineLength)
    case UInt8(ascii: "-") where line.skip("-ERR"): self = .error(start: line.position, end: end, length: lineLength)
    default: self = .violation("an operation is not known: \(line.excerpt)")
    }
  }

  private init(messageIn line: inout ControlLine, withHeaders: Bool, bodyStart: Int, greatestBody: Int) {
    let start = line.position
    let subjectLength = line.word()
    guard subjectLength > 0, let subscription = line.number() else {
      self = .violation("a message has no subject or no subscription: \(line.excerpt)")
      return
    }
    // A subject for the answer may begin with a digit too, so only the number of words tells.
    var replyStart = line.position
    var replyLength = line.word()
    if line.remaining == 0 || (withHeaders && !line.hasSpace) {
      line.position = replyStart
      replyStart = start
      replyLength = 0
    }
    let headersLength = withHeaders ? line.number() : 0
    guard let headersLength, let bodyLength = line.number(), line.remaining == 0, headersLength <= bodyLength else {
      self = .violation("a message has no lengths that fit: \(line.excerpt)")
      return
    }
    guard bodyLength <= greatestBody else {
      self = .violation("a message of \(bodyLength) bytes is longer than \(greatestBody) bytes")
      return
    }
    let end = bodyStart + Int(bodyLength)
    guard line.bytes.count >= end + 2 else {
      self = .incomplete(needed: end + 2)
      return
    }
    guard line.bytes[end] == 13, line.bytes[end + 1] == 10 else {
      self = .violation("a message does not end where its length says: \(line.excerpt)")
      return
    }
    let parts = NATSMessage.Parts(
      subjectLength: UInt32(subjectLength),
      replyStart: UInt32(replyStart - start),
      replyLength: UInt32(replyLength),
      bodyStart: UInt32(bodyStart - start),
      headersLength: UInt32(headersLength)
    )
    assert(start < bodyStart && bodyStart + Int(headersLength) <= end, "All parts are in the message.")
    self = .message(start: start, parts: parts, subscription: subscription, end: end, length: end + 2)
  }
}
