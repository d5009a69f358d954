/// Where a server is, as in `nats://user:password@host:4222`.
struct ServerAddress: Sendable, Equatable, CustomStringConvertible {
  var host: String
  var port: Int
  var usesTLS = false
  var user: String?
  var password: String?

  init(_ text: String) throws(NATSError) {
    var rest = Substring(text)
    if let scheme = text.firstRange(of: "://") {
      switch rest[..<scheme.lowerBound] {
      case "nats": break
      case "tls": usesTLS = true
      default: throw .invalidAddress(text)
      }
      rest = rest[scheme.upperBound...]
    }
    if rest.last == "/" { rest = rest.dropLast() }
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = parts.first.flatMap(Self.decoded)
      password = parts.count > 1 ? Self.decoded(parts[1]) : nil
      rest = rest[rest.index(after: at)...]
    }
    var digits: Substring?
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { throw .invalidAddress(text) }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      let behind = rest[rest.index(after: end)...]
      guard behind.isEmpty || behind.first == ":" else { throw .invalidAddress(text) }
      digits = behind.isEmpty ? nil : behind.dropFirst()
    } else {
      let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2, let name = parts.first else { throw .invalidAddress(text) }
      host = String(name)
      digits = parts.count > 1 ? parts[1] : nil
    }
    guard let port = digits.map({ Int($0) }) ?? 4222, (1...65535).contains(port), !host.isEmpty,
      !host.contains(where: { $0.isWhitespace || $0 == "/" })
    else { throw .invalidAddress(text) }
    self.port = port
  }

  /// Without the user and the password, so that it may stand in a report.
  var description: String {
    "\(usesTLS ? "tls" : "nats")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// A character of a user or a password that has a meaning in an address is written as % and two digits.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
