import Aggregate
import RASPKeyed
import RASPTesting
import Testing

/// Without `@testable`: as a test of an application makes what an aggregator reports.
@Suite("What an aggregator reports, made by hand")
struct MadeReportsTests {
  private struct Tank: AggregateState, Equatable {
    struct Empty: Error {}
    var litres = 0
    mutating func apply(_ change: Int) throws(Empty) {
      if litres + change < 0 { throw Empty() }
      litres += change
    }
  }

  @Test("FACE-126: what is made by hand is what the aggregator reports")
  func made() throws {
    let refused = RejectedEvent<Tank>(event: -1, reason: Tank.Empty())
    #expect(refused.event == -1)

    let source = SourceID()
    #expect(source != SourceID())
    let failure = SourceFailure(source: source, name: "pump", error: Tank.Empty())
    #expect(failure.source == source && failure.name == "pump" && failure.error is Tank.Empty)
    var health = SourceHealth(name: "pump", source: source)
    health.status = .failed(failure.error)
    health.eventCount = 3
    #expect(health.source == source && health.eventCount == 3 && health.attempts == 1)

    let tanks = KeyedAggregator(by: { $0 < 0 ? "low" : "high" }, initial: { (_: String) in Tank() })
    tanks.send(5)
    #expect(tanks.ranked(by: \.litres, first: 1).current == [RankedRow(key: "high", state: Tank(litres: 5), value: 5)])

    let recording = Recording(
      name: "tank",
      initial: Tank(),
      entries: [.init(number: 1, event: 4)],
      state: Tank(litres: 4)
    )
    let step = try #require(recording.steps.first { _ in true })
    let same = Recording<Tank>.Step(entry: step.entry, before: Tank(), after: Tank(litres: 4))
    #expect(step.before == same.before && step.after == same.after && same.refusal == nil)
  }
}
