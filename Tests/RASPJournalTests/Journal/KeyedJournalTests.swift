import Aggregate
import Foundation
import JournalTestSupport
import RASPKeyed
import RASPSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A journal of rows")
struct KeyedJournalTests {
  /// Codings of keys, events and rows, put together.
  private static let parts = RecordingCoding<Accounts>(keys: .codable, events: .codable, rows: .codable)

  private func open(
    _ disk: SimulatedDisk,
    snapshots: Int = 10,
    coding: RecordingCoding<Accounts> = .codable
  ) throws -> Journal<Accounts> {
    var setup = JournalSetup()
    setup.idleWait = .milliseconds(1)
    setup.plan.snapshotInterval = snapshots
    setup.plan.snapshotFactor = 0
    setup.plan.smallSegmentSize = 1_000
    return try Journal(at: "j", startingWith: Accounts(), coding: coding, setup, on: disk)
  }

  @Test("random programs, restarts and failures of the power leave the rows of a dictionary")
  func random() async throws {
    for seed in 0..<rounds(400) { try await runProgram(seed: UInt64(seed), coding: .codable) }
  }

  @Test("LOAD-72: the same with a coding that is made of those of keys, events and rows")
  func randomByParts() async throws {
    for seed in 0..<rounds(400) { try await runProgram(seed: UInt64(seed), coding: Self.parts) }
  }

  @Test("LOAD-73: an older event of a row becomes several steps or none; a first one leaves the row that it had made")
  func olderEvents() async throws {
    let disk = SimulatedDisk()
    let journal = try open(disk, coding: Self.parts)
    let accounts = try KeyedAggregator(continuing: journal)
    for (account, amount) in [("a", 1), ("b", 2), ("a", 3)] { accounts.send(Booking(account: account, amount: amount)) }
    accounts.insert(["c": Account(sum: 7)])
    accounts.remove("b")
    try await journal.close()
    // Even amounts are booked twice, and odd ones are not booked.
    let events = Coding<Booking>.codable(version: 2).reading(version: 1, as: Booking.self) { booking in
      booking.amount % 2 == 0 ? [booking, booking] : []
    }
    let coding = RecordingCoding<Accounts>(keys: .codable, events: events, rows: .codable)
    let later = try open(disk, coding: coding)
    let found = try later.state(at: .event(3)).rows
    #expect(found.mapValues(\.sum) == ["a": 0, "b": 4])
    #expect(try later.state(at: .event(5)).rows.mapValues(\.sum) == ["a": 0, "c": 7])
    try await later.close()
  }

  @Test("LOAD-74: a journal of JSON is refused by a coding of parts with the names of both, and read where it is added")
  func fromJSON() async throws {
    let disk = SimulatedDisk()
    let journal = try open(disk)
    try KeyedAggregator(continuing: journal).insert(["a": Account(sum: 7)])
    try await journal.close()
    #expect(throws: JournalError.self) { _ = try open(disk, coding: Self.parts) }
    let coding = RecordingCoding<Accounts>(
      states: Self.parts.states.reading(version: 1, with: .codable) { [$0] },
      events: Self.parts.events.reading(version: 1, with: .codable) { [$0] }
    )
    let later = try open(disk, coding: coding)
    #expect(try KeyedAggregator(continuing: later).rows().mapValues(\.sum) == ["a": 7])
    try await later.close()
  }

  private func runProgram(seed: UInt64, coding: RecordingCoding<Accounts>) async throws {
    var random = SplitMix(seed: seed)
    var disk = SimulatedDisk()
    // The rows after each step.
    var history: [[String: Account]] = [[:]]
    var flushed = 0
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let journal = try open(disk, snapshots: Int.random(in: 3...20, using: &random), coding: coding)
      let found = journal.recovery.event
      #expect((flushed..<history.count).contains(found), "seed \(seed)")
      history.removeSubrange((found + 1)...)
      let accounts = try KeyedAggregator(continuing: journal)
      #expect(accounts.rows() == history[found], "seed \(seed)")
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let key = ["a", "b", "c", "d"][Int.random(in: 0...3, using: &random)]
        guard var rows = history.last else { break }
        switch Int.random(in: 0...7, using: &random) {
        case 0:
          accounts.remove(key)
          if rows.removeValue(forKey: key) == nil { continue }
        case 1:
          let row = Account(sum: Int.random(in: 0...9, using: &random))
          accounts.insert([(key: key, value: row)])
          rows[key] = row
        case 2:
          try await journal.flush()
          flushed = history.count - 1
          continue
        default:
          let booking = Booking(account: key, amount: Int.random(in: -5...5, using: &random))
          accounts.send(booking)
          var row = rows[key] ?? Account()
          if (try? row.apply(booking)) != nil { rows[key] = row }
        }
        history.append(rows)
      }
      #expect(accounts.rows() == history.last, "seed \(seed)")
      if Bool.random(using: &random) {
        try await journal.close()
        flushed = history.count - 1
        #expect(journal.writtenCount == flushed)
        let place = Int.random(in: 0...flushed, using: &random)
        #expect(try journal.state(at: .event(place)).rows == history[place], "seed \(seed)")
        #expect(try journal.verify() == [], "seed \(seed)")
      } else {
        disk = SimulatedDisk(disk.contents { Int.random(in: 0..<$0, using: &random) })
      }
    }
  }

  @Test("what is evicted is removed in the journal, also what is too much after a restart")
  func eviction() async throws {
    let disk = SimulatedDisk()
    for (limit, keys) in [(4, ["a", "b", "c", "d", "e", "f"]), (2, []), (10, [])] {
      let journal = try open(disk)
      let restored = try Journal<Accounts>.restoredRows(journal)
      let accounts = try KeyedAggregator(continuing: journal, evicting: .beyond(limit))
      #expect(Set(accounts.rows().keys).isSubset(of: restored.keys))
      for key in keys { accounts.send(Booking(account: key, amount: 1)) }
      let rows = accounts.rows()
      #expect(rows.count == (keys.isEmpty ? min(limit, restored.count) : limit))
      try await journal.close()
      #expect(try journal.state(at: .event(journal.writtenCount)).rows == rows)
    }
  }

  @Test("JRN-53: which rows are evicted first after a kill is the same in every process", arguments: [true, false])
  func evictionOrder(hasSnapshot: Bool) async throws {
    let disk = SimulatedDisk()
    let journal = try open(disk)
    let accounts = try KeyedAggregator(continuing: journal)
    let keys = ["f", "b", "e", "a", "d", "c"]
    for key in keys { accounts.send(Booking(account: key, amount: 1)) }
    for _ in 0..<(hasSnapshot ? 40 : 0) { accounts.send(Booking(account: "a", amount: 1)) }
    try await journal.flush()
    for limit in 1...5 {
      // The process ends without closing.
      let next = try open(SimulatedDisk(disk.contents))
      let rows = try KeyedAggregator(continuing: next, evicting: .beyond(limit))
      #expect(rows.rows().keys.sorted() == Array(keys.sorted().suffix(limit)))
      try await next.close()
    }
    try await journal.close()
  }

  @Test("the history has the steps with their keys")
  func history() async throws {
    let journal = try open(SimulatedDisk())
    let accounts = try KeyedAggregator(continuing: journal)
    accounts.insert([(key: "a", value: Account(sum: 5))])
    accounts.send(Booking(account: "b", amount: 2))
    accounts.send(Booking(account: "b", amount: -9))
    accounts.remove("a")
    try await journal.close()
    var steps: [RowStep<String, Account>] = []
    for try await entry in journal.events(after: 0) { steps.append(entry.event) }
    #expect(
      steps == [
        RowStep(key: "a", .inserted(Account(sum: 5))),
        RowStep(key: "b", .first(Booking(account: "b", amount: 2), of: Account())),
        RowStep(key: "b", .event(Booking(account: "b", amount: -9))),
        RowStep(key: "a", .removed(.removed)),
      ]
    )
    #expect(try journal.state(at: .event(3)).rows == ["a": Account(sum: 5), "b": Account(sum: 2, count: 1)])
  }

  @Test("a recorder beside it has a name of its own, and the numbers of the journal")
  func recorder() async throws {
    let journal = try open(SimulatedDisk())
    let accounts = try KeyedAggregator(continuing: journal)
    accounts.make(1...3)
    let clock = TapeClock(ClockScheduler(ContinuousClock()))
    let tape = AggregatorTape<Accounts>(of: accounts, as: "accounts", last: 8, keepingBase: true, clock: clock)
    accounts.make(4...6)
    #expect(tape.name == "accounts")
    #expect(tape.recording.name == "accounts")
    #expect(tape.recording.entries.map(\.number) == [4, 5, 6])
    tape.end()
    try await journal.close()
    #expect(journal.writtenCount == 6)
    #expect(try journal.state(at: .event(6)).rows == [String: Account](after: 6))
  }

  @Test("a line that is full makes the fold wait, and loses nothing")
  func full() async throws {
    let disk = SimulatedDisk()
    var setup = JournalSetup()
    setup.capacity = 4
    let journal = try Journal(at: "j", startingWith: Accounts(), coding: .codable, setup, on: disk)
    let accounts = try KeyedAggregator(continuing: journal)
    await Threads.run { accounts.make(1...500) }
    try await journal.close()
    #expect(journal.stallCount > 0)
    #expect(try journal.state(at: .event(500)).rows == [String: Account](after: 500))
  }

  @Test("a journal has one aggregator, and sources are kept from the first event on")
  func sources() async throws {
    let disk = SimulatedDisk()
    for round in 1...2 {
      let journal = try open(disk)
      let accounts = try KeyedAggregator(
        continuing: journal,
        by: \.account,
        initial: { _ in Account() },
        sources: Observable<Booking, Never>([Booking(account: "a", amount: 3), Booking(account: "b", amount: 4)])
      )
      #expect(
        accounts.rows() == [
          "a": Account(sum: 3 * round, count: round), "b": Account(sum: 4 * round, count: round),
        ]
      )
      #expect { try KeyedAggregator(continuing: journal) } throws: { error in
        if case JournalError.inUse = error { true } else { false }
      }
      try await journal.close()
    }
  }
}

extension Journal<Accounts> {
  fileprivate static func restoredRows(_ journal: Journal) throws -> [String: Account] {
    let count = journal.recovery.event
    return count == 0 ? [:] : try journal.state(at: .event(count)).rows
  }
}
