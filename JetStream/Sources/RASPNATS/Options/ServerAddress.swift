/// Where a server is, as in `nats://user:password@host:4222`.
struct ServerAddress: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  var host: String
  var port: Int
  var usesTLS = false
  var user: String?
  var password: String?
  /// The name that the certificate of a server must have that another one has told of: the one that the other server
  /// was verified by. What is told may have been changed on the way; a certificate for that name cannot be had so.
  var verifiedName: String?

  init(_ text: String) throws(NATSError) {
    guard let address = Self(parsing: text) else { throw .invalidAddress(Self.withoutSecrets(text)) }
    self = address
  }

  private init?(parsing text: String) {
    var rest = Substring(text)
    if let scheme = text.firstRange(of: "://") {
      switch rest[..<scheme.lowerBound] {
      case "nats": break
      case "tls": usesTLS = true
      default: return nil
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
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      let behind = rest[rest.index(after: end)...]
      guard behind.isEmpty || behind.first == ":" else { return nil }
      digits = behind.isEmpty ? nil : behind.dropFirst()
    } else {
      let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2, let name = parts.first else { return nil }
      host = String(name)
      digits = parts.count > 1 ? parts[1] : nil
    }
    guard let port = digits.map({ Int($0) }) ?? 4222, (1...65535).contains(port), !host.isEmpty,
      !host.contains(where: { $0.isWhitespace || $0 == "/" })
    else { return nil }
    self.port = port
  }

  /// Without the user and the password, so that it may stand in a report.
  var description: String {
    "\(usesTLS ? "tls" : "nats")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// What `dump` and a debugger see.
  var customMirror: Mirror { Mirror(reflecting: description) }

  /// The text of an address as it may stand in an error: everything before an `@` may be a password.
  private static func withoutSecrets(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    let scheme = text.firstRange(of: "://").map { text[..<$0.upperBound] } ?? ""
    return "\(scheme)…\(text[at...])"
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
