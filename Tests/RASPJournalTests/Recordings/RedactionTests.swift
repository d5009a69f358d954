import Aggregate
import JournalTestSupport
import Testing

@testable import RASPJournal

@Suite("A redaction")
struct RedactionTests {
  @Test("REC-14: nothing of what it takes out is in the file, of the events and of both states")
  func bytes() throws {
    let secret = "53.5511N"
    let recording = Recording<Total>.folding(
      [.word(secret), .word("harbour"), .word(secret)],
      into: Total(words: [secret, "quay"])
    )
    let redaction = Redaction<Total> { state in
      Total(sum: state.sum, words: state.words.filter { $0 != secret })
    } event: { event in
      event == .word(secret) ? .word("?") : event
    }
    let disk = SimulatedDisk()
    try recording.write(to: "a.rasp", coding: .byHand, redacting: redaction, on: disk)
    let bytes = try #require(disk.contents["a.rasp"])
    #expect(bytes.firstRange(of: Array(secret.utf8)) == nil)
    #expect(bytes.firstRange(of: Array("harbour".utf8)) != nil)
    let read = try Recording(bytes, coding: RecordingCoding<Total>.byHand)
    #expect(Content(read) == Content(recording.redacted(by: redaction)))
    #expect(read.entries.map(\.number) == [1, 2, 3])
    #expect(read.entries.map(\.cause) == recording.entries.map(\.cause))
    #expect(read.initial?.words == ["quay"])
  }
}
