import Aggregate
import Foundation
import JournalTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("The history in a journal")
struct HistoryTests {
  @Test("the state behind each event", arguments: [10, 1_000_000])
  func states(snapshots: Int) async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk) { $0.plan.snapshotInterval = snapshots }
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...35)
    try await journal.flush()
    for number in 0...35 {
      #expect(try journal.state(at: .event(number)) == StoreRun.state(after: number), "event \(number)")
    }
    let error = #expect(throws: JournalError.self) { try journal.state(at: .event(36)) }
    guard case .missing(_, 36, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try await journal.close()
    #expect(try journal.state(at: .event(17)) == StoreRun.state(after: 17))
  }

  @Test("JRN-42: the state at a date: all events up to the newest one that is not later")
  func dates() throws {
    let disk = SimulatedDisk()
    let folder = JournalFolder(path: "j", system: disk)
    let store = try StoreRun([]).open(on: disk)
    // One event a second; the clock goes back once.
    for second in [10, 11, 12, 13, 11, 14, 15, 16, 17] {
      try store.append(StoreRun.event(store.newest + 1), cause: .unknown, time: Int64(second) * 1_000_000)
      try store.write()
    }
    try store.close()
    for (date, count) in [
      (9.0, 0), (10, 1), (11, 5), (11.5, 5), (12.9, 5), (13, 5), (14, 6), (17, 9), (1e12, 9), (-1e300, 0),
    ] {
      let state = try folder.state(
        at: .date(Date(timeIntervalSince1970: date)),
        startingWith: Total(),
        coding: .byHand,
        written: 9
      )
      #expect(state == StoreRun.state(after: count), "date \(date)")
    }
  }

  @Test("JRN-42: random clocks, segments, snapshots and restarts: a date finds what a look at all times finds")
  func randomClocks() throws {
    for seed in 0..<rounds(3_000) {
      var random = SplitMix(seed: UInt64(seed))
      let disk = SimulatedDisk()
      let folder = JournalFolder(path: "j", system: disk)
      var store = try StoreRun([]).open(on: disk)
      var clock: Int64 = 1_800_000_000
      var times: [Int64] = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: clock = 4_070_908_800  // 2099
        case 1: clock = Int64.random(in: -5...100, using: &random)
        case 2: clock -= Int64.random(in: 1...10, using: &random)
        case 3: clock = 1_800_000_000 + Int64(times.count)
        case 4:
          try store.close()
          store.abandon()
          store = try StoreRun([]).open(on: disk)
        default: clock += Int64.random(in: 0...2, using: &random)
        }
        try store.append(StoreRun.event(store.newest + 1), cause: .unknown, time: clock * 1_000_000)
        times.append(clock)
        if Bool.random(using: &random) { try store.write() }
      }
      try store.close()
      var found: [Duration] = []
      if !times.isEmpty {
        var cursor = try EventCursor<TotalEvent>(at: 1, listing: folder.listing(), coding: .byHand, in: folder)
        while try cursor.readBatch(upTo: times.count, { found.append($0.time) }) {}
      }
      #expect(found == times.map { .seconds($0) }, "seed \(seed)")
      for date in Set(times).union([-6, 50, 1_799_999_999, 1_800_000_020, 4_070_908_799, 5_000_000_000]) {
        let count = (times.lastIndex { $0 <= date } ?? -1) + 1
        let place = JournalPosition.date(Date(timeIntervalSince1970: Double(date)))
        let state = try folder.state(at: place, startingWith: Total(), coding: .byHand, written: times.count)
        #expect(state == StoreRun.state(after: count), "seed \(seed), date \(date)")
        let tool = try StoredFolder.all(at: "j", on: disk).first?.lastEvent(at: place)
        #expect(tool ?? 0 == count, "seed \(seed), date \(date)")
      }
    }
  }

  @Test("JRN-42: a date before the events that are left is refused by where the folder begins")
  func dateOfDeletedEvents() throws {
    let disk = SimulatedDisk()
    let folder = JournalFolder(path: "j", system: disk)
    let store = try StoreRun([], retention: .sinceSnapshots).open(on: disk)
    for second in 1...40 {
      try store.append(StoreRun.event(second), cause: .unknown, time: Int64(second) * 1_000_000)
      try store.write()
    }
    try store.close()
    try #require(try folder.listing().segments.first ?? 1 > 1)
    func state(at second: Double) throws(JournalError) -> Total {
      let place = JournalPosition.date(Date(timeIntervalSince1970: second))
      return try folder.state(at: place, startingWith: Total(), coding: .byHand, written: 40)
    }
    #expect(try state(at: 39.5) == StoreRun.state(after: 39))
    let error = #expect(throws: JournalError.self) { try state(at: 2) }
    guard case .missing? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("events come with numbers and times, while they are written, until the journal is closed")
  func events() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk) { $0.plan = StoreRun.smallPlan }
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...10)
    async let read = {
      var read: [Int] = []
      var times: [Duration] = []
      for try await entry in journal.events(after: 4) {
        #expect(entry.event == StoreRun.event(entry.number))
        read.append(entry.number)
        times.append(entry.time)
      }
      #expect(times.allSatisfy { $0 > .seconds(1_500_000_000) })
      return read
    }()
    for first in stride(from: 11, to: 60, by: 7) {
      aggregator.send(first...first + 6)
      try await journal.flush()
    }
    try await journal.close()
    #expect(try await read == Array(5...59))
  }

  @Test("a reader that is cancelled while it waits ends")
  func cancelled() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk)
    let task = Task {
      var count = 0
      for try await _ in journal.events(after: 0) { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.value == 0)
    try await journal.close()
  }

  @Test("a number that no event can have is waited for, until the journal is closed")
  func largestNumber() async throws {
    let journal = try Journal(on: SimulatedDisk())
    try Aggregator(continuing: journal).send(1...3)
    try await journal.close()
    for number in [Int.max, .max - 1, 3] {
      for try await entry in journal.events(after: number) { Issue.record("event \(entry.number)") }
    }
    var count = 0
    for try await _ in journal.events(after: .min) { count += 1 }
    #expect(count == 3)
  }

  @Test("a reader does not keep the journal open")
  func readerOnly() async throws {
    let disk = SimulatedDisk()
    let task: Task<Int, any Error>
    do {
      let journal = try Journal(on: disk)
      let events = journal.events(after: 0)
      task = Task {
        var count = 0
        for try await _ in events { count += 1 }
        return count
      }
      try Aggregator(continuing: journal).send(1...30)
    }
    #expect(try await task.value == 30)
    #expect(await eventually { disk.openCount == 0 })
  }

  /// Depends on more than its events.
  private struct Impure: AggregateState, Equatable {
    static let factor = Box(1)
    var sum: Int64 = 0

    mutating func apply(_ event: Int64) { sum += event * Int64(Self.factor.value ?? 0) }
  }

  @Test("snapshots that the events do not lead to are found")
  func verify() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk)
    let aggregator = try Aggregator(continuing: journal)
    for first in stride(from: 1, to: 50, by: 10) {
      aggregator.send(first...first + 9)
      try await journal.flush()
    }
    #expect(try journal.verify() == [])
    try await journal.close()

    let coding = RecordingCoding<Impure>(
      states: Coding(version: 1) {
        $1.append($0.sum)
      } decode: {
        Impure(sum: try $0.read(Int64.self))
      },
      events: Coding(version: 1) {
        $1.append($0)
      } decode: {
        try $0.read(Int64.self)
      }
    )
    var setup = JournalSetup()
    setup.plan.snapshotInterval = 3
    setup.plan.snapshotFactor = 0
    let other = try Journal(at: "k", startingWith: Impure(), coding: coding, setup, on: disk)
    let impure = try Aggregator(continuing: other)
    for number in 1...10 {
      impure.send(Int64(number))
      try await other.flush()
    }
    try await other.close()
    #expect(try other.verify() == [])
    Impure.factor.value = 2
    #expect(try other.verify() == [6, 9])
  }

  /// Equals itself only until a number is no number.
  private struct Series: AggregateState, Codable, Equatable {
    var values: [Double] = []

    mutating func apply(_ event: Double) { values.append(event) }
  }

  /// Depends on more than its events, beside a number that is no number.
  private struct ImpureMast: AggregateState, Codable, Equatable {
    static let factor = Box(1.0)
    var gust = Double.nan
    var sum = 0.0

    mutating func apply(_ event: Double) { sum += event * (Self.factor.value ?? 0) }
  }

  private func journal<State: AggregateState & Codable & Equatable>(
    of initial: State,
    _ events: [Double]
  ) async throws -> Journal<State> where State.Event == Double {
    var setup = JournalSetup()
    setup.plan.snapshotInterval = 3
    setup.plan.snapshotFactor = 0
    let journal = try Journal(at: "k", startingWith: initial, coding: .codable, setup, on: SimulatedDisk())
    let aggregator = try Aggregator(continuing: journal)
    for event in events {
      aggregator.send(event)
      try await journal.flush()
    }
    try await journal.close()
    return journal
  }

  @Test("snapshots that do not equal themselves are compared by their parts")
  func verifyBesideNaN() async throws {
    let pure = try await journal(of: Series(), [1, .nan, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(try pure.verify() == [])
    let impure = try await journal(of: ImpureMast(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(try impure.verify() == [])
    ImpureMast.factor.value = 2
    #expect(try impure.verify() == [6, 9])
  }

  @Test("a snapshot that is made while the snapshots are verified is not compared with too few events")
  func verifyWhileWriting() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk)
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...9)
    try await journal.flush()
    let stamp = FileStamp(salt: 1, wallTime: 0, identity: try identity(on: disk))
    _ = try SnapshotFile.write(
      StoreRun.state(after: 12),
      after: 12,
      coding: .byHand,
      stamp: stamp,
      in: JournalFolder(path: "j", system: disk)
    )
    #expect(try journal.verify() == [])
    try await journal.close()
  }

  private func identity(on disk: SimulatedDisk) throws -> UInt128 {
    let file = try #require(disk.contents["j/00000000000000000001.events"])
    return try file.withUnsafeBytes { try FileHeader($0) }.identity
  }

  @Test("files that are obsolete")
  func obsolete() {
    let digits = { (number: Int) in String(repeating: "0", count: 20 - "\(number)".count) + "\(number)" }
    let listing = FolderListing(
      [1, 11, 21, 31].map { digits($0) + ".events" } + [10, 20, 30].map { digits($0) + ".STATE" } + [
        "lock", "x.events",
      ]
    )
    #expect(listing.segments == [1, 11, 21, 31] && listing.snapshots == [10, 20, 30])
    func obsolete(_ retention: JournalRetention) -> [[Int]] {
      let obsolete = retention.obsolete(in: listing, newest: 35)
      return [obsolete.snapshots, obsolete.segments]
    }
    #expect(obsolete(.everything) == [[10], []])
    #expect(obsolete(.sinceSnapshots) == [[10], [1]])
    #expect(obsolete(.newest(0)) == [[10], [1]])
    #expect(obsolete(.newest(25)) == [[10], [1]])
    #expect(obsolete(.newest(26)) == [[10], []])
    #expect(obsolete(.newest(.max)) == [[10], []])
    // One that cannot be read is none of the two.
    var damaged = listing
    damaged.noteUnusable(snapshotAfter: 20)
    let kept = JournalRetention.sinceSnapshots.obsolete(in: damaged, newest: 35)
    #expect(kept.snapshots == [20] && kept.segments.isEmpty)
    damaged.noteUnusable(snapshotAfter: 30)
    let all = JournalRetention.sinceSnapshots.obsolete(in: damaged, newest: 35)
    #expect(all.snapshots.isEmpty && all.segments.isEmpty)
  }
}
