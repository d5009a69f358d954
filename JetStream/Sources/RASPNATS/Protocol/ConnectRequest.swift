import NIOCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a client says about itself.
struct ConnectRequest: Encodable {
  var verbose = false
  var pedantic = false
  var echo = true
  var headers = true
  var noResponders = true
  var tlsRequired = false
  var language = "swift"
  var version = "1"
  /// One: the server may send what it says about itself again.
  var level = 1
  var name: String?
  var user: String?
  var password: String?
  var token: String?
  var key: String?
  var signature: String?

  private enum CodingKeys: String, CodingKey {
    case verbose, pedantic, echo, headers, version, name, user
    case noResponders = "no_responders"
    case tlsRequired = "tls_required"
    case language = "lang"
    case level = "protocol"
    case password = "pass"
    case token = "auth_token"
    case key = "nkey"
    case signature = "sig"
  }

  func write(to buffer: inout ByteBuffer) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // Texts and truth values always have JSON.
    guard let json = try? encoder.encode(self) else { return assertionFailure("CONNECT has no JSON.") }
    buffer.writeStaticString("CONNECT ")
    buffer.writeBytes(json)
    buffer.writeStaticString("\r\n")
  }
}
