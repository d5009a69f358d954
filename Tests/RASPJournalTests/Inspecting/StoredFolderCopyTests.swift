import Foundation
import JournalTestSupport
import RASPTesting
import TestSupport
import Testing

@testable import RASPJournal

@Suite("Copies of folders that end at a place")
struct StoredFolderCopyTests {
  private func copy(
    _ files: [String: [UInt8]],
    at place: JournalPosition
  ) throws(JournalError) -> (files: [String: [UInt8]], ends: [Int]) {
    let disk = SimulatedDisk(files, hasFolders: false)
    let folders = try StoredFolder.all(at: "j", on: disk)
    let ends = try StoredFolder.copy(folders, at: "j", to: "k", endingAt: place)
    // What is copied stays as it is.
    #expect(disk.contents.filter { $0.key.hasPrefix("j/") } == files)
    var copies: [String: [UInt8]] = [:]
    for (name, bytes) in disk.contents where name.hasPrefix("k/") {
      copies[name.replacing("k/", with: "j/", maxReplacements: 1)] = bytes
    }
    return (copies, ends)
  }

  @Test("JRN-52: a random program, cut behind each of its events: the copy is whole, closed, and has the state of then")
  func everywhere() throws {
    for seed in 0..<rounds(2_000) {
      var random = SplitMix(seed: UInt64(seed))
      var run = StoreRun.random(&random)
      run.retention = .everything
      let disk = SimulatedDisk()
      var known = StoreRun.Knowledge()
      try run.run(on: disk, &known)
      let files = disk.contents
      if known.flushed == 0 { continue }
      for last in 0...known.flushed {
        let (cut, ends) = try copy(files, at: .event(last))
        #expect(ends == [last])
        if last == 0 {
          #expect(cut.isEmpty)
          continue
        }
        let verdict = try #require(try StoredFolder.all(at: "j", on: SimulatedDisk(cut)).first).verify()
        #expect(verdict.problems.isEmpty && verdict.isClosed == true, "seed \(seed), \(last): \(verdict.problems)")
        let copied = SimulatedDisk(cut)
        let store = try run.open(on: copied)
        #expect(store.newest == last && store.state == StoreRun.state(after: last), "seed \(seed), \(last)")
        #expect(store.recovery.cutBytes == 0)
        // It goes on.
        try store.append(StoreRun.event(last + 1), cause: .unknown, time: 0)
        try store.close()
      }
      #expect(throws: JournalError.self) { try copy(files, at: .event(known.flushed + 1)) }
    }
  }

  @Test("JRN-52: whole batches keep what tells their events from others; a journal that is open is cut, too")
  func marks() throws {
    let disk = SimulatedDisk()
    let run = StoreRun([])
    let store = try run.open(on: disk)
    // Batches of three.
    for number in 1...12 {
      try store.append(StoreRun.event(number), cause: .unknown, time: Int64(number))
      if number % 3 == 0 { try store.write() }
    }
    let folder = JournalFolder(path: "j", system: disk)
    for last in 1...12 {
      let (cut, _) = try copy(disk.contents, at: .event(last))
      let copied = JournalFolder(path: "j", system: SimulatedDisk(cut))
      for event in 1...last where event <= last / 3 * 3 {
        #expect(try copied.mark(of: event) == folder.mark(of: event), "\(event) of \(last)")
      }
    }
  }

  @Test("JRN-52: at a date, what was written until then is there")
  func dates() throws {
    let disk = SimulatedDisk()
    let store = try StoreRun([]).open(on: disk)
    let base: Int64 = 1_800_000_000_000_000
    for number in 1...9 {
      try store.append(StoreRun.event(number), cause: .unknown, time: base + Int64(number) * 1_000_000)
      if number % 2 == 0 { try store.write() }
    }
    try store.close()
    for last in 0...9 {
      let date = Date(timeIntervalSince1970: Double(base) / 1_000_000 + Double(last) + 0.5)
      #expect(try copy(disk.contents, at: .date(date)).ends == [last])
    }
  }

  @Test("JRN-52: damage before the place is refused, and damage behind it is left behind")
  func damage() throws {
    let disk = SimulatedDisk()
    var known = StoreRun.Knowledge()
    try StoreRun([.append(2), .write, .append(2), .write, .append(2), .write]).run(on: disk, &known)
    var plan = SegmentPlan()
    plan.snapshotInterval = .max
    let name = try #require(disk.contents.keys.filter { $0.hasSuffix(".events") }.max())
    let first = try #require(Int(name.dropFirst(2).prefix(20)))
    var files = disk.contents
    files[name]?[70] ^= 1
    #expect(throws: JournalError.self) { try copy(files, at: .event(6)) }
    let (cut, _) = try copy(files, at: .event(first - 1))
    #expect(try StoreRun([], plan: plan).open(on: SimulatedDisk(cut)).newest == first - 1)
  }

  @Test(
    "JRN-52: damage in front of a date is refused, also behind an event that is later than the date",
    arguments: [false, true]
  )
  func damageBesideClock(hasWrongTime: Bool) throws {
    let disk = SimulatedDisk()
    let store = try StoreRun([]).open(on: disk)
    for number in 1...40 {
      let time: Int64 = hasWrongTime && number == 3 ? 4_070_908_800 : 1_800_000_000 + Int64(number)
      try store.append(StoreRun.event(number), cause: .unknown, time: time * 1_000_000)
      try store.write()
    }
    try store.close()
    let name = try #require(disk.contents.keys.filter { $0.hasSuffix(".events") }.max())
    var files = disk.contents
    files[name]?[70] ^= 1
    let folder = try #require(try StoredFolder.all(at: "j", on: SimulatedDisk(files)).first)
    #expect(throws: JournalError.self) { try folder.lastEvent(at: .date(Date(timeIntervalSince1970: 1_900_000_000))) }
  }

  @Test("JRN-52: what has no events of its own, or is there already, is refused")
  func refused() throws {
    let disk = SimulatedDisk()
    var known = StoreRun.Knowledge()
    try StoreRun([.append(2), .write]).run(on: disk, &known)
    let folders = try StoredFolder.all(at: "j", on: disk)
    let error = #expect(throws: JournalError.self) {
      try StoredFolder.copy(folders, at: "j", to: "k", endingAt: .event(1))
    }
    guard case .refused("k", _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
