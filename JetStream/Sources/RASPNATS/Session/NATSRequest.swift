import NIOCore

/// Something to send to a subject.
package struct NATSRequest: Sendable {
  /// Where it goes.
  package var subject: String
  /// What it carries.
  package var payload: ByteBuffer
  /// Its headers.
  package var headers: NATSHeaders

  /// Makes a request.
  package init(_ payload: ByteBuffer, to subject: String, headers: NATSHeaders = [:]) {
    self.subject = subject
    self.payload = payload
    self.headers = headers
  }

  /// About what it takes on the wire, beside the subject for the answer.
  var size: Int { payload.readableBytes + headers.block.readableBytes + subject.utf8.count + 32 }

  /// Finds what the server would refuse, or would read as something else.
  func check(against server: NATSServerInfo) throws(NATSError) {
    guard SubjectRules.isSubject(subject) else { throw .invalidSubject(subject) }
    if let name = headers.invalidName { throw .invalidHeader(name) }
    let bytes = payload.readableBytes + headers.block.readableBytes
    guard bytes <= server.maxPayload else {
      throw .payloadTooLarge(server: server.url, bytes: bytes, greatest: server.maxPayload)
    }
    guard headers.isEmpty || server.headers else {
      throw .refused(server: server.url, reason: "headers are switched off in its configuration")
    }
  }
}
