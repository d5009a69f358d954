import NIOCore

/// What a client says about itself, with the names of the protocol.
struct ConnectRequest: Encodable {
  var verbose = false
  var pedantic = false
  var echo = true
  var headers = true
  var noResponders = true
  var tlsRequired = false
  var lang = "swift"
  var version = "1"
  /// One: the server may send its INFO again.
  var `protocol` = 1
  var name: String?
  var user: String?
  var pass: String?
  var authToken: String?
  var nkey: String?
  var sig: String?
  var jwt: String?

  func write(to buffer: inout ByteBuffer) {
    buffer.writeStaticString("CONNECT ")
    buffer.writeImmutableBuffer(JSON.encode(self))
    buffer.writeStaticString("\r\n")
  }
}
