import Foundation
import JournalTestSupport
import TestSupport
import Testing

@testable import RASPJournal

@Suite("Repairs of a journal")
struct RepairTests {
  private let first = "j/00000000000000000001.events"

  /// A journal of some events, neither ended nor closed.
  private func files() throws -> [String: [UInt8]] {
    let disk = SimulatedDisk()
    let store = try open(disk)
    for number in 1...5 {
      try store.append(StoreRun.event(number), cause: .unknown, time: 0)
      try store.write()
    }
    return disk.contents
  }

  private func open(_ disk: SimulatedDisk) throws(JournalError) -> JournalStore<Total> {
    var plan = SegmentPlan()
    plan.snapshotInterval = .max
    return try StoreRun([], plan: plan).open(on: disk)
  }

  private func repair(_ disk: SimulatedDisk) throws(JournalError) -> JournalRecovery {
    try Journal<Total>.repair(JournalFolder(path: "j", system: disk), startingWith: Total(), coding: .byHand)
  }

  @Test("what a repair has put aside is counted, and the next repair does not overwrite it")
  func twice() throws {
    var files = try files()
    var aside: [[UInt8]] = []
    for round in 1...3 {
      // In its header.
      files[first]?[20] ^= UInt8(round)
      aside.append(try #require(files[first]))
      let disk = SimulatedDisk(files)
      let report = try repair(disk)
      #expect(report.event == 0 && report.cutBytes == aside.last?.count)
      #expect(disk.contents[first] == nil)
      files = disk.contents.merging([first: try #require(self.files()[first])]) { $1 }
    }
    #expect([".cut", ".2.cut", ".3.cut"].map { files[first + $0] } == aside)
  }

  @Test("what is cut off at one offset twice is kept twice")
  func twiceAtOneOffset() throws {
    var files = try files()
    let whole = try #require(files[first])
    let last = try #require(FilePieces(whole).batches.last).count
    for length in [whole.count - 1, whole.count - 2] {
      let disk = SimulatedDisk(files.merging([first: Array(whole[..<length])]) { $1 })
      #expect(try open(disk).newest == 4)
      files = disk.contents
    }
    let offset = whole.count - last
    #expect(files["\(first).\(offset).cut"]?.count == last - 1)
    #expect(files["\(first).\(offset).2.cut"]?.count == last - 2)
  }

  @Test("a repair cuts off what was torn, and if there is no room to keep it, it says so and cuts nothing")
  func torn() throws {
    var files = try files()
    files[first]?.removeLast()
    let full = SimulatedDisk(files) { call, _ in call == "create" ? .error(ENOSPC) : nil }
    let error = #expect(throws: JournalError.self) { try repair(full) }
    guard case .system(_, "create", ENOSPC)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.hasSuffix("Make room, and try again.") == true)
    #expect(full.contents[first] == files[first])
    let disk = SimulatedDisk(files)
    let report = try repair(disk)
    #expect(report.event == 4 && report.cutBytes > 0)
    #expect(disk.contents.keys.contains { $0.hasSuffix(".cut") })
    // So there is nothing more to be done.
    #expect(try repair(disk).cutBytes == 0)
  }

  @Test("what was being written beside a file is removed by the name that it has")
  func leftovers() throws {
    var files = try files()
    files["j/.rasp-AB.tmp"] = [1]
    let disk = SimulatedDisk(files)
    #expect(try open(disk).newest == 5)
    #expect(disk.contents["j/.rasp-AB.tmp"] == nil)
  }

  @Test("JRN-47: what a later version has written is refused by name, and no repair cuts it off")
  func laterVersion() throws {
    let disk = SimulatedDisk()
    let store = try StoreRun([]).open(on: disk)
    for number in 1...5 {
      try store.append(StoreRun.event(number), cause: .unknown, time: 0)
      try store.write()
    }
    try store.close()
    store.abandon()
    var files = disk.contents
    let segment = try #require(files.keys.filter { $0.hasSuffix(".events") }.max())
    var pieces = FilePieces(try #require(files[segment]))
    pieces.header[56] = 1
    files[segment] = pieces.repaired
    let changed = SimulatedDisk(files)
    let error = #expect(throws: JournalError.self) {
      try Journal.repair(JournalFolder(path: "j", system: changed), startingWith: Total(), coding: .byHand)
    }
    guard case .laterVersion? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(changed.contents == files)
  }
}
