import Testing

@testable import RASPJetStream

@Suite("What JetStream says beside its messages")
struct DeliveryMetadataTests {
  private func metadata(_ subject: String) -> DeliveryMetadata? {
    Array(subject.utf8).withUnsafeBytes(DeliveryMetadata.init)
  }

  @Test("the metadata of a delivery are in both forms of the subject")
  func forms() throws {
    let short = try #require(metadata("$JS.ACK.readings-0.abc.1.17.3.1700000000123456789.5"))
    #expect(short.offset == 17 && short.number == 3 && short.time == 1_700_000_000_123_456_789 && short.pending == 5)
    #expect(metadata("$JS.ACK._.hash.readings-0.abc.1.17.3.1700000000123456789.5.token") == short)
    #expect(metadata("$JS.ACK._.hash.readings-0.abc.1.17.3.1700000000123456789.5") == short)
  }

  @Test(
    "another subject is none",
    arguments: ["", "$JS.FC.readings-0.abc.x", "$JS.ACK.a.b", "$JS.ACK.a.b.1.x.3.4.5", "_INBOX.a.b.c.d.e.f.g.h.i"]
  )
  func others(subject: String) {
    #expect(metadata(subject) == nil)
  }

  @Test(
    "the sequence of an acknowledgement, and how many entries a batch has",
    arguments: [
      (#"{"stream":"a","seq":17}"#, 17, nil), (#"{"stream":"a", "seq":18,"duplicate": true}"#, 18, nil),
      (#"{"stream":"a","domain":"x","seq":19,"batch":"b","count":2}"#, 19, 2),
      (#"{"error":{"code":400,"err_code":10071,"description":"wrong"},"stream":"a","seq":0}"#, nil, nil),
      (#"{"stream":"a","seq":0}"#, nil, nil), ("", nil, nil), ("+OK", nil, nil),
    ] as [(String, Int?, Int?)]
  )
  func numbers(json: String, sequence: Int?, count: Int?) {
    let bytes = Array(json.utf8)
    #expect(bytes.withUnsafeBytes { Acknowledgement.number(of: #""seq":"#, in: $0) } == sequence)
    #expect(bytes.withUnsafeBytes { Acknowledgement.number(of: #""count":"#, in: $0) } == count)
  }

  @Test("names that cannot be subjects are refused, and members may have any")
  func names() {
    #expect((try? LogNames("readings_2-b")) != nil)
    for name in ["", "a.b", "a b", "*", ">", "é", "a/b", "KV_a", "x-members"] { #expect((try? LogNames(name)) == nil) }
    let names = (try? LogNames("log")).map { names in ["a", "a.b", "a b", "ä"].map(names.member) } ?? []
    #expect(Set(names).count == 4)
    #expect(names.allSatisfy { !$0.contains(" ") })
    #expect(names.first == "$KV.log-members.a")
  }
}
