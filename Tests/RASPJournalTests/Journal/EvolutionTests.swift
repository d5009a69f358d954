import Aggregate
import JournalTestSupport
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A journal whose types have changed")
struct EvolutionTests {
  /// Counts words only, in version 2 of the state.
  private struct Words: AggregateState, Codable, Equatable {
    var count = 0

    mutating func apply(_ event: String) { count += 1 }
  }

  private func open(
    _ disk: SimulatedDisk,
    _ coding: RecordingCoding<Words>,
    keeping retention: JournalRetention = .everything
  ) throws(JournalError) -> JournalStore<Words> {
    var plan = SegmentPlan()
    plan.snapshotInterval = 3
    plan.snapshotFactor = 0
    return try JournalStore(
      JournalFolder(path: "j", system: disk),
      startingWith: Words(),
      coding: coding,
      JournalSetup(retention: retention, plan: plan, clock: .numbered(disk))
    )
  }

  private let old = RecordingCoding<Words>(states: .codable, events: .codable(version: 1, named: "Said"))
  /// A number became as many words, and a new fold counts them.
  private let new = RecordingCoding<Words>(
    states: .codable(version: 2),
    events: .codable(version: 2, named: "Said").reading(version: 1, as: String.self) { old in
      old.split(separator: " ").map(String.init)
    }
  )

  private func write(_ disk: SimulatedDisk, keeping retention: JournalRetention = .everything) throws {
    let store = try open(disk, old, keeping: retention)
    for text in ["a b", "", "c", "d e f", "g", "h", "i", "j k", "", ""] {
      try store.append(text, cause: .unknown, time: 0)
      try store.write()
    }
    try store.close()
    #expect(store.state.count == 10)
  }

  @Test("an old event becomes none, one or several; snapshots of the old version are not used; numbers stay")
  func converted() throws {
    let disk = SimulatedDisk()
    try write(disk)
    for round in 0..<3 {
      let store = try open(disk, new)
      #expect(store.state.count == 11 + round)
      #expect(store.newest == 10 + round)
      if round == 0 {
        #expect(store.recovery.snapshot == 0)
        #expect(store.recovery.ignored.count == 2)
      }
      try store.append("x", cause: .unknown, time: 0)
      try store.close()
      store.abandon()
    }
  }

  @Test("without the old events, a snapshot of another version is an error that names both")
  func missing() throws {
    let disk = SimulatedDisk()
    try write(disk, keeping: .sinceSnapshots)
    let error = #expect(throws: JournalError.self) { try open(disk, new) }
    guard case .missing(_, 1, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("Words, version 1") && reason.contains("Words, version 2"))
  }

  @Test("events of a version that the coding does not read are refused, and the folder is as it was")
  func unknown() throws {
    let disk = SimulatedDisk()
    try write(disk)
    let before = disk.contents
    let coding = RecordingCoding<Words>(states: .codable(version: 2), events: .codable(version: 2, named: "Said"))
    let error = #expect(throws: JournalError.self) { try open(disk, coding) }
    guard case .unreadable(_, _, 1, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.description.contains("Said, version 1"))
    #expect(disk.contents == before)
  }
}
