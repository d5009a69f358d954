import Aggregate
import Foundation
import Streams
import Testing

@testable import RASPJournal

/// `Golden/format1.py` has written the files, from the description of the format. So they come from another process,
/// whose sets and dictionaries have another order, and from another implementation.
@Suite("Files of format 1 stay readable")
struct GoldenTests {
  private func path(_ name: String) throws -> String {
    try #require(Bundle.module.url(forResource: "Golden/\(name)", withExtension: nil)).path
  }

  @Test("FILE-04: JSON, with sets, dictionaries, numbers that are not finite, and a field that the type does not have")
  func json() throws {
    let recording = try Recording<BoatState>(contentsOf: path("format1-json.rasp"))
    let crew = ["Ada": 1, "Grace \"G\" ö": 2, "Linus": 3]
    let expected = Recording<BoatState>.folding(
      [
        .heading(359.5), .position(latitude: .infinity, longitude: -0.0), .silence,
        .crew(crew, aboard: ["Ada", "Linus"]),
      ],
      into: BoatState()
    )
    #expect(Content(recording) == Content(expected))
    #expect(recording.lane == 3)
    #expect(recording.name == "boat")
  }

  @Test("FILE-04: bytes by hand; and what is written today is the same, byte for byte")
  func byHand() throws {
    let path = try path("format1-hand.rasp")
    #expect(Content(try Recording(contentsOf: path, coding: .byHand)) == Content(.small))
    let bytes = try Recording<Total>.small.bytes(coding: .byHand)
    #expect(bytes == [UInt8](try Data(contentsOf: URL(filePath: path))))
  }
}
