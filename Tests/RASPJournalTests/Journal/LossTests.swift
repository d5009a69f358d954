import Aggregate
import Foundation
import JournalTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("What a journal loses, it says", .endsInTime)
struct LossTests {
  private func fullDisk() -> SimulatedDisk {
    SimulatedDisk { call, number in call == "write" && number > 20 ? .error(ENOSPC) : nil }
  }

  @Test("JRN-40: a full disk is told to subscribers and to the aggregator, with its reason")
  func heard() async throws {
    let journal = try Journal(on: fullDisk())
    let aggregator = try Aggregator(continuing: journal)
    let told = Lock<(failures: [String], diagnostics: [String])>(([], []))
    let subscriptions = [
      journal.failures.subscribe { error in told.withLock { $0.failures.append("\(error)") } },
      aggregator.diagnostics.subscribe { diagnostic in told.withLock { $0.diagnostics.append("\(diagnostic)") } },
    ]
    aggregator.send(1...20)
    try? await journal.flush()
    aggregator.send(21...20_000)
    #expect(await eventually { told.withLock { !$0.failures.isEmpty && !$0.diagnostics.isEmpty } })
    let (failures, diagnostics) = told.withLock { $0 }
    #expect(failures.count == 1 && failures[0].contains("no space left"))
    #expect(diagnostics.contains { $0.contains("no space left") })
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("JRN-40: if nothing listens, it is written")
  func unheard() async throws {
    let texts = try await UnheardTexts.written(containing: "the journal unheard") { texts in
      let disk = fullDisk()
      let journal = try Journal(at: "unheard", startingWith: Total(), coding: .byHand, JournalSetup(), on: disk)
      let aggregator = try Aggregator(continuing: journal)
      for _ in 0..<50 {
        aggregator.send(1...20)
        try? await journal.flush()
      }
      #expect(await eventually { !texts().isEmpty })
    }
    #expect(texts.count == 1 && texts[0].contains("no space left") && texts[0].contains("failures"))
  }

  /// Writes ten events, of which two cannot be read.
  private func written(_ disk: SimulatedDisk) async throws {
    let coding = RecordingCoding<Total>(
      states: .byHand,
      events: Coding(version: 1, named: "TotalEvent") { event, bytes in
        if case .word = event { return bytes.append(UInt8(9)) }
        _ = try Coding<TotalEvent>.byHand.encode(event, &bytes)
      } decode: { bytes in
        throw TestError(code: Int(try bytes.readByte()))
      }
    )
    let journal = try Journal(at: "j", startingWith: Total(), coding: coding, JournalSetup(), on: disk)
    let aggregator = try Aggregator(continuing: journal)
    for number in 1...10 { aggregator.send(number % 5 == 0 ? .word("bad") : .add(Int64(number))) }
    try await journal.close()
  }

  @Test("JRN-41: an event that cannot be read locks the folder by the standard, `repair` included")
  func stop() async throws {
    let disk = SimulatedDisk()
    try await written(disk)
    let folder = JournalFolder(path: "j", system: disk)
    for isRepaired in [false, true] {
      let error = #expect(throws: JournalError.self) {
        if isRepaired { _ = try Journal.repair(folder, startingWith: Total(), coding: .byHand) }
        _ = try Journal(on: disk)
      }
      guard case .unreadable(_, _, 5, _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test("JRN-41: it is passed over and reported by the policy")
  func skipped() async throws {
    let disk = SimulatedDisk()
    try await written(disk)
    let folder = JournalFolder(path: "j", system: disk)
    _ = try Journal.repair(folder, startingWith: Total(), coding: .byHand, onPoison: .skip)
    let journal = try Journal(on: disk) { $0.poison = .skip }
    #expect(journal.recovery.event == 10)
    #expect(journal.recovery.skipped.map(\.event) == [5, 10] && journal.recovery.skippedCount == 2)
    let expected = Total(sum: 1 + 2 + 3 + 4 + 6 + 7 + 8 + 9, words: [])
    #expect(try journal.state(at: .event(10)) == expected)
    #expect(try journal.verify() == [])
    let aggregator = try Aggregator(continuing: journal)
    #expect(aggregator.snapshot == expected)
    aggregator.send(.add(1))
    try await journal.flush()
    var numbers: [Int] = []
    for try await entry in journal.events(after: 0) {
      numbers.append(entry.number)
      if entry.number == 11 { break }
    }
    #expect(numbers == [1, 2, 3, 4, 6, 7, 8, 9, 11])
    try await journal.close()
  }

  @Test("JRN-42: runs with a clock of 2099 and of 1970 do not hide the others from a date")
  func wrongClocks() async throws {
    let disk = SimulatedDisk()
    let (now, day): (UInt64, UInt64) = (1_800_000_000, 86_400)
    var journal = try Journal(on: disk)
    /// Three more events, by a clock that stands at a time.
    func run(at second: UInt64) async throws {
      try await journal.close()
      journal = try Journal(on: disk) { setup in
        setup.clock = JournalClock {
          { .zero }
        } stamp: {
          FileStamp(salt: 1, wallTime: second * 1_000_000_000, identity: 1)
        }
      }
      let aggregator = try Aggregator(continuing: journal)
      aggregator.send(journal.recovery.event + 1...journal.recovery.event + 3)
      try await journal.flush()
    }
    /// How many events the state at a date has. The times of a run are a little later than the clock says.
    func count(at second: UInt64) throws -> Int? {
      let place = JournalPosition.date(Date(timeIntervalSince1970: Double(second + day / 2)))
      let state = try journal.state(at: place)
      return (0...journal.writtenCount).first { StoreRun.state(after: $0) == state }
    }
    try await run(at: now)
    try await run(at: 4_070_908_800)
    try await run(at: now + day)
    #expect(try count(at: now - day) == 0)
    #expect(try count(at: now) == 3)
    #expect(try count(at: now + day) == 9, "the state of now is that of now")
    try await run(at: 1_000)
    try await run(at: now + 2 * day)
    #expect(try count(at: 1_000) == 12 && count(at: now + day) == 12, "events of 1970 are old")
    #expect(try count(at: now + 2 * day) == 15 && count(at: 5_000_000_000) == 15)
    try await journal.close()
  }
}
