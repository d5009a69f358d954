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

  @Test("FILE-05: events of two versions in two segments are each read as what they are")
  func versionsOfSegments() throws {
    let disk = SimulatedDisk()
    var plan = SegmentPlan()
    plan.snapshotInterval = .max
    func open(_ coding: RecordingCoding<Words>) throws(JournalError) -> JournalStore<Words> {
      let setup = JournalSetup(plan: plan, clock: .numbered(disk))
      return try JournalStore(JournalFolder(path: "j", system: disk), startingWith: Words(), coding: coding, setup)
    }
    for coding in [old, new] {
      let store = try open(coding)
      try store.append("a b c", cause: .unknown, time: 0)
      try store.close()
      store.abandon()
    }
    // The old event has become three, and the new one is itself.
    #expect(try open(new).state.count == 4)
  }

  @Test("FILE-05: types of a registry that two segments have in another order are each read as what they are")
  func orderOfTypes() throws {
    let disk = SimulatedDisk()
    var plan = SegmentPlan()
    plan.snapshotInterval = .max
    func open() throws(JournalError) -> JournalStore<Moves> {
      let coding = RecordingCoding<Moves>(states: .codable, events: .registry([Up.self, Down.self]))
      let setup = JournalSetup(plan: plan, clock: .numbered(disk))
      return try JournalStore(JournalFolder(path: "j", system: disk), startingWith: Moves(), coding: coding, setup)
    }
    for events in [[Up(by: 1), Down(by: 10)], [Down(by: 100), Up(by: 1_000)]] as [[any AggregateEvent]] {
      let store = try open()
      for event in events { try store.append(event, cause: .unknown, time: 0) }
      try store.close()
      store.abandon()
    }
    #expect(try open().state.height == 1 - 10 - 100 + 1_000)
  }

  @Test("JRN-54: back to the program before a new version of the state: all events are folded again, if they are kept")
  func olderState() throws {
    let newState = RecordingCoding<Words>(states: .codable(version: 2), events: .codable(version: 1, named: "Said"))
    for retention in [JournalRetention.everything, .sinceSnapshots] {
      let disk = SimulatedDisk()
      let store = try open(disk, newState, keeping: retention)
      for number in 1...10 {
        try store.append("\(number)", cause: .unknown, time: 0)
        try store.write()
      }
      try store.close()
      store.abandon()
      let before = disk.contents
      do throws(JournalError) {
        let older = try open(disk, old, keeping: retention)
        #expect(retention == .everything && older.state.count == 10)
        #expect(older.recovery.snapshot == 0 && older.recovery.ignored.count == 2)
        try older.append("11", cause: .unknown, time: 0)
        try older.close()
        older.abandon()
        // And forward again.
        #expect(try open(disk, newState).state.count == 11)
      } catch {
        guard case .missing(_, 1, let reason) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(retention == .sinceSnapshots && reason.contains("Words, version 2"))
        #expect(disk.contents == before)
      }
    }
  }

  @Test("JRN-54: back to the old program where events have a new version: refused by name, and nothing is changed")
  func olderEvents() throws {
    let disk = SimulatedDisk()
    try write(disk)
    let store = try open(disk, new)
    try store.append("new", cause: .unknown, time: 0)
    try store.close()
    store.abandon()
    let before = disk.contents
    let error = #expect(throws: JournalError.self) { try open(disk, old) }
    guard case .unreadable(_, _, 11, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.description.contains("Said, version 2"))
    #expect(disk.contents == before)
    #expect(try open(disk, new).newest == 11)
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

private struct Up: AggregateEvent, Codable {
  var by: Int
}

private struct Down: AggregateEvent, Codable {
  var by: Int
}

private struct Moves: AggregateState, Codable {
  var height = 0

  mutating func apply(_ event: any AggregateEvent) {
    switch event {
    case let up as Up: height += up.by
    case let down as Down: height -= down.by
    default: break
    }
  }
}
