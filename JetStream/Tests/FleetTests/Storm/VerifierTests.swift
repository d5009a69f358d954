import RASPLogs
import Testing

@testable import Storm

/// A verifier that cannot fail is worth nothing: each mistake that it looks for is made here.
struct VerifierTests {
  @Test("a log that was appended and folded in order is right")
  func right() async throws {
    let storm = try await SmallStorm.run()
    #expect(storm.areRight)
    #expect(storm.events == 600)
    #expect(storm.acknowledged == 600)
    #expect(storm.rows >= 10)
  }

  @Test(
    "mistakes of owners are wrong rows",
    arguments: [Mutant.doubleFold, .skippedEntry]
  )
  func owners(_ mutant: Mutant) async throws {
    let storm = try await SmallStorm.run(ownersWith: mutant)
    #expect(storm.wrongRows > 0, "\(storm)")
    #expect(storm.lost + storm.doubled + storm.disordered + storm.foreign + storm.gaps == 0)
  }

  @Test("an event that was acknowledged and is not there is lost")
  func lost() async throws {
    let storm = try await SmallStorm.run(publishersWith: .lostAppend)
    #expect(storm.lost > 0)
    #expect(storm.wrongRows + storm.doubled + storm.disordered + storm.foreign == 0)
  }

  @Test("an event that is there twice is doubled")
  func doubled() async throws {
    let storm = try await SmallStorm.run(publishersWith: .doubledAppend)
    #expect(storm.doubled > 0)
    #expect(storm.lost + storm.wrongRows + storm.foreign == 0)
  }

  @Test("an event behind a later one is out of order")
  func disordered() async throws {
    let storm = try await SmallStorm.run(publishersWith: .swappedAppend)
    #expect(storm.disordered > 0)
    #expect(storm.lost + storm.doubled + storm.wrongRows + storm.foreign == 0)
  }

  @Test("a record that is behind the log is not finished, and an event of no publisher is foreign")
  func unfinished() async throws {
    let log = MemoryLog<StormEvent>(partitions: 2)
    try await log.append([StormEvent(key: 0, publisher: 0, number: 1)], to: 0)
    let findings = try await Verifier(log: log, report: AppendReport()).verify()
    #expect(findings.unfinished == 1)
    #expect(findings.foreign == 1)
    #expect(!findings.areRight)
  }

  @Test("an event whose append had no answer may be there or not")
  func unknown() async throws {
    let log = MemoryLog<StormEvent>()
    try await log.append([StormEvent(key: 0, publisher: 0, number: 1)], to: 0)
    let series = AppendReport.Series(publisher: 0, partition: 0)
    let report = AppendReport([AppendReport.Call(series: series, fate: .unknown, numbers: 1...2)])
    let findings = try await Verifier(log: log, report: report).verify()
    #expect(findings.unknown == 2)
    #expect(findings.unknownFound == 1)
    #expect(findings.lost + findings.foreign == 0)
  }

  @Test("an event whose append was refused is not in the log")
  func refused() async throws {
    let log = MemoryLog<StormEvent>()
    try await log.append([StormEvent(key: 0, publisher: 0, number: 1)], to: 0)
    let series = AppendReport.Series(publisher: 0, partition: 0)
    let report = AppendReport([AppendReport.Call(series: series, fate: .refused, numbers: 1...2)])
    let findings = try await Verifier(log: log, report: report).verify()
    #expect(findings.refused == 2)
    #expect(findings.refusedFound == 1)
    #expect(findings.lost + findings.foreign + findings.unknown == 0)
    #expect(!findings.areRight)
    // An earlier try may have appended it. That the later one was refused is counted all the same.
    let again = AppendReport([AppendReport.Call(series: series, fate: .refused, numbers: 1...2, tries: 2)])
    let later = try await Verifier(log: log, report: again).verify()
    #expect(later.refused == 2)
    #expect(later.refusedFound == 0)
    #expect(!later.areRight)
  }

  @Test("an event that was appended again without an answer may be there twice, and is counted")
  func resent() async throws {
    let log = MemoryLog<StormEvent>()
    let event = StormEvent(key: 0, publisher: 0, number: 1)
    try await log.append([event, event, StormEvent(key: 0, publisher: 0, number: 2)], to: 0)
    let series = AppendReport.Series(publisher: 0, partition: 0)
    let report = AppendReport([
      AppendReport.Call(series: series, fate: .acknowledged, numbers: 1...3, tries: 2)
    ])
    let findings = try await Verifier(log: log, report: report).verify()
    #expect(findings.resent == 3)
    #expect(findings.resentTwice == 1)
    #expect(findings.doubled == 0)
    // The third one was acknowledged in the end.
    #expect(findings.lost == 1)
    try await log.append([event], to: 0)
    #expect(try await Verifier(log: log, report: report).verify().doubled == 1)
  }

  @Test("what was acknowledged while a store was away that did not last is taken away, and nothing else")
  func takenAway() async throws {
    let series = AppendReport.Series(publisher: 0, partition: 0)
    let calls = [(1...1, 1.0...2.0), (2...2, 4.0...6.0), (3...3, 12.0...13.0)].map {
      AppendReport.Call(series: series, fate: .acknowledged, numbers: $0, times: $1)
    }
    var verifier = Verifier(log: MemoryLog<StormEvent>(), report: AppendReport(calls))
    verifier.gone = 5...10
    let findings = try await verifier.verify()
    #expect(findings.takenAway == 1)
    #expect(findings.lost == 2)
  }

  @Test("the hash of a row tells the order of its events")
  func order() {
    let events = (1...3).map { StormEvent(key: 1, publisher: 0, number: $0) }
    func fold(_ events: [StormEvent]) -> StormRow {
      events.reduce(into: StormRow()) { $0.apply($1) }
    }
    #expect(fold(events) == fold(events))
    #expect(fold(events) != fold([events[1], events[0], events[2]]))
  }
}
