import NIOCore

/// The headers of a message: names and texts, in the order in which they were added.
///
///     var headers: NATSHeaders = ["Nats-Msg-Id": "reading-17"]
///     headers["Nats-Expected-Stream"] = "EV-3"
///
/// Headers are kept as the bytes of the protocol, and are read when you ask for one: a message whose headers are never
/// looked at costs nothing for them. Names are compared byte by byte, because the server does so.
///
/// - Errors: a name that is empty, or a name or text that has a line break or, in a name, a colon or a space, cannot be
///   sent. Publishing such headers throws ``NATSError/invalidHeader(_:)``.
/// - Complexity: reading one header is O(bytes of all headers).
package struct NATSHeaders: Sendable, ExpressibleByDictionaryLiteral {
  /// The block as it is on the wire, from the version line to the empty line; without any bytes if there is no header.
  private(set) var block: ByteBuffer

  /// The first name with which something was set that cannot be sent.
  private(set) var invalidName: String?

  /// Makes headers of a block that came from a server.
  package init(block: ByteBuffer) {
    self.block = block
  }

  /// Makes empty headers.
  package init() {
    block = ByteBuffer()
  }

  /// Makes headers of names and texts.
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements {
      append(value, to: name)
    }
  }

  /// Whether there is no header.
  package var isEmpty: Bool {
    block.readableBytes == 0
  }

  /// The first text of a header; `nil` if there is none. Setting replaces all texts of the header, and `nil` removes
  /// it.
  package subscript(name: String) -> String? {
    get {
      block.withUnsafeReadableBytes { HeaderLines(block: $0).first(named: name) }
    }
    set {
      if invalidName == name { invalidName = nil }
      rewrite(fields.filter { $0.name != name })
      if let newValue { append(newValue, to: name) }
    }
  }

  /// All headers; a name may stand in a message more than once.
  package var fields: [(name: String, value: String)] {
    block.withUnsafeReadableBytes { bytes in
      var lines = HeaderLines(block: bytes)
      var fields: [(name: String, value: String)] = []
      while let line = lines.next() {
        fields.append((String(decoding: line.name, as: UTF8.self), String(decoding: line.value, as: UTF8.self)))
      }
      return fields
    }
  }

  /// Adds a text to a header, beside those that it has.
  package mutating func append(_ value: String, to name: String) {
    guard Self.isValid(name: name), !value.utf8.contains(where: { $0 == 10 || $0 == 13 }) else {
      invalidName = invalidName ?? name
      return
    }
    if !isEmpty, !block.readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      // What came from elsewhere may lack its end.
      rewrite(fields)
    }
    if isEmpty {
      block.writeString(HeaderLines.version)
      block.writeStaticString("\r\n")
    } else {
      // The empty line moves behind the new header.
      block.moveWriterIndex(to: block.writerIndex - 2)
    }
    block.writeString(name)
    block.writeStaticString(": ")
    block.writeString(value)
    block.writeStaticString("\r\n\r\n")
  }

  private mutating func rewrite(_ fields: [(name: String, value: String)]) {
    block = ByteBuffer()
    for field in fields { append(field.value, to: field.name) }
  }

  private static func isValid(name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 32 && $0 != 58 && $0 < 127 }
  }

  /// The number and the words of the first line, with which a server answers without a payload.
  var status: (code: Int, text: String)? {
    block.withUnsafeReadableBytes { HeaderLines(block: $0).status }
  }
}
