import NIOCore

/// A message that came from a server.
///
/// It keeps the bytes that were read from the socket, and makes texts of them when you ask. Many messages may share one
/// block of memory of up to 64 KB or so, which is freed when the last of them goes away: copy what you keep for long.
///
/// - Complexity: ``payload`` is O(1) and does not copy. The texts are made anew each time, so keep what you use twice.
package struct NATSMessage: Sendable {
  /// From the subject in the control line to the end of the payload.
  let bytes: ByteBuffer
  let parts: Parts

  /// Where the parts are, counted from the start of the subject.
  struct Parts {
    var subjectLength: UInt32
    var replyStart: UInt32
    var replyLength: UInt32
    var bodyStart: UInt32
    var headersLength: UInt32
  }

  /// The subject to which it was published.
  package var subject: String {
    text(at: 0, length: parts.subjectLength)
  }

  /// The subject for an answer, if the publisher wants one.
  package var reply: String? {
    parts.replyLength == 0 ? nil : text(at: parts.replyStart, length: parts.replyLength)
  }

  /// Its headers.
  package var headers: NATSHeaders {
    parts.headersLength == 0 ? NATSHeaders() : NATSHeaders(block: slice(parts.bodyStart, parts.headersLength))
  }

  /// Whether there are headers, which is known without reading them.
  package var hasHeaders: Bool {
    parts.headersLength > 0
  }

  /// What it carries.
  package var payload: ByteBuffer {
    let start = parts.bodyStart + parts.headersLength
    return slice(start, UInt32(bytes.readableBytes) - start)
  }

  /// The number with which a server says something instead of a payload, such as 503 if there is no responder, 404, 408
  /// or, from a consumer of JetStream, 100; `nil` in a message of a publisher.
  package var status: Int? {
    parts.headersLength == 0 ? nil : headers.status?.code
  }

  /// The bytes of the subject for an answer, for those who read numbers out of it without making a text.
  ///
  /// - Complexity: O(1).
  package var replyBytes: ByteBufferView {
    slice(parts.replyStart, parts.replyLength).readableBytesView
  }

  /// The number at the end of the subject, if the subject is this prefix and a number.
  func number(behind prefix: SubjectPrefix) -> UInt64? {
    bytes.withUnsafeReadableBytes { bytes in
      let end = Int(parts.subjectLength)
      guard prefix.begins(bytes, to: end) else { return nil }
      return bytes.decimal(from: prefix.count, to: end).map(UInt64.init)
    }
  }

  /// Whether the subject is one of a pattern.
  func isOf(_ pattern: SubjectPattern) -> Bool {
    bytes.withUnsafeReadableBytes { pattern.matches(UnsafeRawBufferPointer(rebasing: $0[..<Int(parts.subjectLength)])) }
  }

  /// Stands for an answer without content.
  static var empty: NATSMessage {
    NATSMessage(
      bytes: ByteBuffer(),
      parts: Parts(subjectLength: 0, replyStart: 0, replyLength: 0, bodyStart: 0, headersLength: 0)
    )
  }

  /// The number of bytes that count for the bound of a subscription.
  var size: Int {
    bytes.readableBytes + Self.overhead
  }

  /// What a message takes beside its bytes, at least: messages without a payload are not for nothing.
  static let overhead = 80

  private func slice(_ start: UInt32, _ length: UInt32) -> ByteBuffer {
    assert(Int(start) + Int(length) <= bytes.readableBytes, "A part is in the message.")
    return bytes.getSlice(at: bytes.readerIndex + Int(start), length: Int(length)) ?? ByteBuffer()
  }

  private func text(at start: UInt32, length: UInt32) -> String {
    bytes.getString(at: bytes.readerIndex + Int(start), length: Int(length)) ?? ""
  }
}
