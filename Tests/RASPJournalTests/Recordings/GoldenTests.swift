import Aggregate
import Foundation
import JournalTestSupport
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

  @Test("FILE-04: the notes of events, which a later version may write, are passed over")
  func notes() throws {
    let plain = try Recording<Total>(contentsOf: path("format1-hand.rasp"), coding: .byHand)
    let noted = try Recording<Total>(contentsOf: path("format1-notes.rasp"), coding: .byHand)
    #expect(Content(noted) == Content(plain))
  }

  @Test("a journal of two segments and a snapshot, whose last write was torn")
  func journal() throws {
    let folder = try path("format1-journal")
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files["j/\(name)"] = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }
    #expect(files.count == 3)
    let all = Total(sum: 3, words: ["two", "four"])
    for hasSnapshot in [true, false] {
      let disk = SimulatedDisk(files.filter { hasSnapshot || !$0.key.hasSuffix(".state") })
      let store = try StoreRun([]).open(on: disk)
      #expect(store.newest == 5 && store.state == all)
      #expect(store.recovery.snapshot == (hasSnapshot ? 3 : 0))
      #expect(store.recovery.cutBytes > 0 && store.recovery.ignored.isEmpty)
      store.abandon()
      let entries = try entries(on: disk)
      #expect(entries.map(\.event) == [.add(1), .word("two"), .add(-3), .word("four"), .add(5)])
      // The wall time of each batch, and what has passed since.
      let wall = 1_790_000_000_123_456
      #expect(entries.map(\.time) == [0, 5, 10, 1_000, 2_000].map { .microseconds(wall + $0) })
    }
  }

  @Test("JRN-48: a journal that was closed; one that is cut anywhere is refused")
  func closed() throws {
    let folder = try path("format1-closed")
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files["j/\(name)"] = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }
    #expect(files["j/00000000000000000005.closed"] == [])
    let store = try StoreRun([]).open(on: SimulatedDisk(files))
    #expect(store.newest == 5 && store.recovery.cutBytes == 0)
    store.abandon()
    let newest = "j/00000000000000000004.events"
    let bytes = try #require(files[newest])
    for length in bytes.indices {
      let disk = SimulatedDisk(files.merging([newest: Array(bytes[..<length])]) { $1 })
      #expect(throws: JournalError.self) { try StoreRun([]).open(on: disk) }
    }
  }

  private func entries(on disk: SimulatedDisk) throws -> [StoredEvent<TotalEvent>] {
    let folder = JournalFolder(path: "j", system: disk)
    var cursor = try EventCursor<TotalEvent>(at: 1, listing: try folder.listing(), coding: .byHand, in: folder)
    var entries: [StoredEvent<TotalEvent>] = []
    while try cursor.readBatch(upTo: 5, { entries.append($0) }) {}
    return entries
  }
}
