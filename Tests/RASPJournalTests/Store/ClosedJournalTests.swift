import Foundation
import JournalTestSupport
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A journal that was closed")
struct ClosedJournalTests {
  private static let closing = "j/00000000000000000007.closed"

  /// Several segments, the newest of which has several batches. No snapshot tells how many events there were.
  private var run: StoreRun {
    var plan = StoreRun.smallPlan
    plan.snapshotInterval = .max
    return StoreRun([.append(3), .write, .append(2), .write, .append(1), .write, .append(1), .write], plan: plan)
  }

  private func files() throws -> [String: [UInt8]] {
    let disk = SimulatedDisk()
    var known = StoreRun.Knowledge()
    try run.run(on: disk, &known)
    return disk.contents
  }

  private func newest(_ files: [String: [UInt8]]) throws -> String {
    try #require(files.keys.filter { $0.hasSuffix(".events") }.max())
  }

  private func verdict(_ files: [String: [UInt8]]) throws -> StoredFolder.Verdict {
    try #require(try StoredFolder.all(at: "j", on: SimulatedDisk(files)).first).verify()
  }

  @Test("JRN-48: a copy that is cut at any byte, or lacks its newest segment, is refused with the remedy")
  func short() throws {
    let files = try files()
    #expect(files[Self.closing] == [])
    let newest = try newest(files)
    let bytes = try #require(files[newest])
    var copies = bytes.indices.map { files.merging([newest: Array(bytes[..<$0])]) { $1 } }
    copies.append(files.filter { $0.key != newest })
    copies.append(files.filter { !$0.key.hasSuffix(".events") })
    for copy in copies {
      let disk = SimulatedDisk(copy)
      let error = #expect(throws: JournalError.self) { try run.open(on: disk) }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("Restore a"), "\(text)")
      // A folder that is refused is as it was.
      #expect(disk.contents.filter { $0.key != "j/lock" } == copy.filter { $0.key != "j/lock" })
      if copy.count(where: { $0.key.hasSuffix(".events") && !$0.value.isEmpty }) > 0 {
        #expect(try !verdict(copy).problems.isEmpty)
      }
    }
    #expect(try run.open(on: SimulatedDisk(files)).newest == 7)
    #expect(try verdict(files).isClosed == true)
  }

  @Test("JRN-48: without the file, or with a segment behind it that was not ended, what is torn is cut as ever")
  func notClosed() throws {
    let files = try files()
    let newest = try newest(files)
    let bytes = try #require(files[newest])
    let copy = files.merging([newest: bytes.dropLast(BatchHeader.size + 1)]) { $1 }
    #expect(try run.open(on: SimulatedDisk(copy.filter { $0.key != Self.closing })).newest < 7)

    // Opened again, and killed.
    let disk = SimulatedDisk(files)
    let store = try run.open(on: disk)
    for number in 8...9 {
      try store.append(StoreRun.event(number), cause: .unknown, time: 0)
      try store.write()
    }
    let later = disk.contents
    #expect(later[Self.closing] == [] && store.newest == 9)
    #expect(try verdict(later).isClosed == false && verdict(later).problems.isEmpty)
    let last = try self.newest(later)
    for length in try #require(later[last]).indices {
      let cut = later.merging([last: Array(try #require(later[last])[..<length])]) { $1 }
      #expect(try 7...9 ~= run.open(on: SimulatedDisk(cut)).newest, "\(length)")
    }
    // What was there when it was closed is still told.
    #expect(throws: JournalError.self) {
      try run.open(on: SimulatedDisk(later.filter { $0.key != last && $0.key != newest }))
    }
  }

  @Test("JRN-48: closing again moves the file, and closing without new events leaves it")
  func again() throws {
    let disk = SimulatedDisk(try files())
    var known = StoreRun.Knowledge()
    try StoreRun([.append(2), .write, .reopen, .reopen], plan: run.plan).run(on: disk, &known)
    #expect(disk.contents.keys.filter { $0.hasSuffix(".closed") } == ["j/00000000000000000009.closed"])
  }

  @Test("JRN-48: a repair goes on with what is there, and the journal is opened and closed again")
  func repaired() throws {
    let files = try files()
    let newest = try newest(files)
    let bytes = try #require(files[newest])
    for copy in [
      files.merging([newest: bytes.dropLast(BatchHeader.size + 1)]) { $1 },
      files.merging([newest: bytes.dropLast(1)]) { $1 },
      files.filter { $0.key != newest },
    ] {
      let disk = SimulatedDisk(copy)
      let folder = JournalFolder(path: "j", system: disk)
      let report = try Journal<Total>.repair(folder, startingWith: Total(), coding: .byHand)
      var known = StoreRun.Knowledge()
      try StoreRun([.append(1), .write], plan: run.plan).run(on: disk, &known)
      #expect(known.flushed == report.event + 1)
      #expect(try verdict(disk.contents).isClosed == true)
    }
  }

  @Test("JRN-48: a random program of sessions that are closed or killed is never refused")
  func sessions() throws {
    for seed in 0..<rounds(5_000) {
      var random = SplitMix(seed: UInt64(seed))
      var contents: [String: [UInt8]] = [:]
      for _ in 0..<4 {
        let steps = StoreRun.random(&random)
        let stop = Int.random(in: 1...120, using: &random)
        let disk = SimulatedDisk(contents) { _, number in number >= stop ? .error(EIO) : nil }
        var known = StoreRun.Knowledge()
        let result = Result { () throws(JournalError) in try steps.run(on: disk, &known) }
        switch result {
        case .success: #expect(try known.flushed == 0 || verdict(disk.contents).isClosed == true, "seed \(seed)")
        case .failure(.system(_, _, EIO)): break
        case .failure(let error): Issue.record("seed \(seed): \(error)")
        }
        contents = disk.contents(afterPowerFailure: { Int.random(in: 0..<$0, using: &random) })
      }
    }
  }
}
