import NIOCore
import Testing

@testable import RASPNATS

struct RecordedConversations {
  @Test(arguments: Capture.versions)
  func everythingIsUnderstood(version: String) throws {
    let texts = try ParsedText.all(of: [Capture.server(version)[...]])
    #expect(texts.contains("PONG"))
    #expect(texts.contains("PING"))
    #expect(texts.contains("OK"))
    #expect(texts.contains { $0.hasPrefix("INFO ") })
    #expect(texts.contains("MSG a.b 2 - [] 0 - \(Array("hello".utf8))"))
    #expect(texts.contains("MSG a.c 2 17 [] 0 - []"))
    let headers = #"[(name: "Nats-Msg-Id", value: "17"), (name: "B", value: "x")]"#
    #expect(texts.contains("MSG a.d 2 4 \(headers) 0 - [0, 255, 13, 10, 53, 54]"))
    #expect(texts.contains { $0.hasPrefix("MSG _I.1 1 - ") && $0.contains("503") })
    #expect(texts.contains { $0.hasPrefix("MSG deliver 4 ") && $0.contains("100 Idle Heartbeat") })
    #expect(texts.contains("ERR Permissions Violation for Publish to \"no.thing\""))
    #expect(texts.contains("ERR Unknown Protocol Operation"))
    #expect(texts.contains("ERR Authorization Violation"))
  }

  @Test(arguments: Capture.versions)
  func aCutAtAnyByteChangesNothing(version: String) throws {
    let bytes = try Capture.server(version)
    var parser = ProtocolParser()
    var start = 0
    var texts: [String] = []
    // Byte by byte, an operation is there with its last byte. Then each operation is cut at each of its bytes.
    for index in bytes.indices {
      parser.append(ByteBuffer(bytes: bytes[index...index]))
      guard let operation = try parser.next() else { continue }
      let text = ParsedText.of(operation)
      texts.append(text)
      for cut in start...index where try ParsedText.all(of: [bytes[start..<cut], bytes[cut...index]]) != [text] {
        Issue.record("A cut at byte \(cut) changes what is read.")
      }
      start = index + 1
    }
    #expect(start == bytes.endIndex)
    #expect(try ParsedText.all(of: [bytes[...]]) == texts)
  }

  @Test(arguments: Capture.versions)
  func theServerIsKnownByWhatItSays(version: String) throws {
    var parser = ProtocolParser()
    parser.append(ByteBuffer(bytes: try Capture.server(version)))
    guard case .info(let json) = try parser.next() else {
      Issue.record("The server begins with what it is.")
      return
    }
    let info = try NATSServerInfo(json: json, url: "nats://there:4222")
    #expect(info.version == version)
    #expect(info.maxPayload == 1_048_576)
    #expect(info.headers)
    #expect(!info.tlsRequired)
    #expect(info.url == "nats://there:4222")
  }
}
