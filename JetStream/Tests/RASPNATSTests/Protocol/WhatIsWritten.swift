import NIOCore
import Testing

@testable import RASPNATS

struct WhatIsWritten {
  @Test func operationsAreAsTheProtocolSays() {
    var bytes = ByteBuffer()
    bytes.writeSubscribe(to: "a.>", identifier: 20)
    bytes.writePublish(ByteBuffer(string: "hello"), to: "a.b", reply: nil, headers: [:])
    bytes.writePublish(ByteBuffer(), to: "a.b", reply: "r", headers: ["A": "1"])
    bytes.writeRequest(ByteBuffer(string: "x"), to: "q", replyPrefix: "_INBOX.c.", token: 1_234_567_890, headers: [:])
    bytes.writeUnsubscribe(identifier: UInt64.max)
    bytes.writePing()
    bytes.writePong()
    let expected = """
      SUB a.> 20
      PUB a.b 5
      hello
      HPUB a.b r 18 18
      NATS/1.0
      A: 1


      PUB q _INBOX.c.1234567890 1
      x
      UNSUB 18446744073709551615
      PING
      PONG

      """
    #expect(String(buffer: bytes) == expected.replacing("\n", with: "\r\n"))
  }

  @Test func headersAreKeptInOrder() {
    var headers: NATSHeaders = ["A": "1", "B": " two "]
    headers.append("3", to: "A")
    #expect(headers["A"] == "1")
    #expect(headers["a"] == nil)
    #expect(headers["B"] == "two")
    #expect(headers.fields.map(\.name) == ["A", "B", "A"])
    #expect(headers.fields.map(\.value) == ["1", "two", "3"])
    headers["A"] = "4"
    #expect(headers.fields.map(\.value) == ["two", "4"])
    headers["A"] = nil
    headers["B"] = nil
    #expect(headers.isEmpty)
  }

  @Test(arguments: ["", "x", "NATS/1.0", "NATS/1.0 503\r\n", "NATS/1.0\r\nA: 1", "\r\n\r\n"])
  func headersOfAnotherCanBeAddedTo(block: String) {
    var headers = NATSHeaders(block: ByteBuffer(string: block))
    let others = headers.fields.map(\.value)
    headers.append("2", to: "B")
    #expect(headers["B"] == "2")
    #expect(headers.fields.map(\.value) == others + ["2"])
  }

  @Test(arguments: [("", "x"), ("A B", "x"), ("A:", "x"), ("A", "x\r\ny"), ("A\n", "x"), ("Ä", "x")])
  func headersThatWouldBeReadAsSomethingElseAreRefused(name: String, value: String) throws {
    var headers: NATSHeaders = [:]
    headers[name] = value
    let request = NATSRequest(ByteBuffer(), to: "a", headers: headers)
    var server = NATSServerInfo()
    server.headers = true
    #expect(throws: NATSError.invalidHeader(name)) { try request.check(against: server) }
    headers[name] = nil
    #expect(throws: Never.self) { try NATSRequest(ByteBuffer(), to: "a", headers: headers).check(against: server) }
  }

  @Test func subjectsAreWordsBetweenPoints() {
    for subject in ["a", "a.b", "$JS.API.INFO", "ä", "a*b", "_INBOX.x.1"] {
      #expect(SubjectRules.isSubject(subject), "\(subject)")
    }
    for subject in ["", ".", "a.", ".a", "a..b", "a b", "a\r\nPUB b 0", "a\t", "*", "a.>", "a.*.b"] {
      #expect(!SubjectRules.isSubject(subject), "\(subject)")
    }
    for pattern in ["*", ">", "a.*", "a.*.b", "a.>"] { #expect(SubjectRules.isPattern(pattern), "\(pattern)") }
    for pattern in ["", ">.a", "a b", "a.", "a..>"] { #expect(!SubjectRules.isPattern(pattern), "\(pattern)") }
  }
}
