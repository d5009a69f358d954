import JournalTestSupport
import RASPTesting
import TestSupport
import Testing

@testable import Aggregate
@testable import RASPJournal
@testable import RASPSupport
@testable import Streams

@Suite("A journal, recorders and refusals")
struct BesideRecordersTests {
  private func record(_ aggregator: Aggregator<Total>) -> AggregatorTape<Total> {
    let clock = TapeClock(ClockScheduler(ContinuousClock()))
    return AggregatorTape(of: aggregator, as: "totals", last: 4, keepingBase: true, clock: clock)
  }

  @Test("a recorder has the numbers of the journal, whichever ends first", arguments: [true, false])
  func numbers(journalEndsFirst: Bool) async throws {
    let disk = SimulatedDisk()
    for first in [1, 8] {
      let journal = try Journal(on: disk)
      let aggregator = try Aggregator(continuing: journal)
      aggregator.send(first...first + 1)
      let tape = record(aggregator)
      aggregator.send(first + 2...first + 4)
      let recording = tape.recording
      #expect(tape.name == "totals" && recording.name == "totals")
      #expect(recording.entries.map(\.number) == Array(first + 2...first + 4))
      #expect(recording.initial == StoreRun.state(after: first + 1))
      if journalEndsFirst {
        aggregator.send(first + 5...first + 6)
        try await journal.close()
        #expect(tape.recording.entries.last?.number == first + 6)
        tape.end()
      } else {
        tape.end()
        aggregator.send(first + 5...first + 6)
        try await journal.close()
      }
      #expect(journal.writtenCount == first + 6)
    }
    let restored = try Journal(on: disk)
    #expect(try Aggregator(continuing: restored).snapshot == StoreRun.state(after: 14))
    try await restored.close()
  }

  @Test("a journal that is released without close has no more causes carried")
  func released() async throws {
    var journal: Journal<Total>? = try Journal(on: SimulatedDisk())
    var aggregator: Aggregator<Total>? = try journal.map { try Aggregator(continuing: $0) }
    weak let use = aggregator?.core.recording.withLock { $0.hook }
    #expect(use != nil)
    journal = nil
    #expect(use != nil, "the aggregator goes on to write")
    aggregator = nil
    #expect(use == nil)
    withExtendedLifetime((journal, aggregator)) {}
  }

  /// Refuses what would make it negative.
  private struct Stock: AggregateState, Codable, Equatable {
    var count = 0

    mutating func apply(_ event: Int) throws(TestError) {
      if count + event < 0 { throw TestError(code: event) }
      count += event
    }
  }

  @Test("an event that the state refuses is kept, and is refused again")
  func refused() async throws {
    let disk = SimulatedDisk()
    let events = [3, -5, 2, -6, -5, 1]
    for round in 1...2 {
      var setup = JournalSetup()
      setup.plan.snapshotInterval = round == 1 ? 4 : 10_000
      let journal = try Journal(at: "j", startingWith: Stock(), coding: .codable, setup, on: disk)
      let aggregator = try Aggregator(continuing: journal)
      #expect(aggregator.snapshot.count == round - 1)
      for event in events { aggregator.send(event) }
      // Another one is refused the second time.
      #expect(aggregator.snapshot.count == 1)
      try await journal.close()
      #expect(journal.writtenCount == events.count * round)
      #expect(try journal.verify() == [])
    }
  }

  @Test("sources are subscribed to when the state has been restored, and what they send at once is kept")
  func sources() async throws {
    let disk = SimulatedDisk()
    for round in 1...3 {
      let journal = try Journal(on: disk)
      let aggregator = try Aggregator(
        continuing: journal,
        sources: Observable<TotalEvent, Never>([TotalEvent.add(1), .word("\(round)")]),
        Observable<TotalEvent, Never>([TotalEvent.add(10)])
      )
      #expect(aggregator.snapshot == Total(sum: Int64(11 * round), words: (1...round).map { "\($0)" }))
      try await journal.close()
      #expect(journal.writtenCount == 3 * round)
    }
  }
}
