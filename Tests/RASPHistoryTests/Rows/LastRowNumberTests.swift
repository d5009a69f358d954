import Aggregate
import AggregateTestSupport
import Streams
import TestSupport
import Testing

@testable import RASPHistory
@testable import RASPKeyed

@Suite("The last number of a lane of rows")
struct LastRowNumberTests {
  private static let lastNumber = 1 << 40 - 1

  @Test("the steps behind the last number have no identity, and keep their numbers")
  func rows() throws {
    let rows = KeyedAggregator(by: { (_: Int) in "row" }, initial: { _ in Journal() })
    let recorder = TapeRecorder(rows)
    let hook = try #require(rows.core.recording.withLock { $0.hook })
    let tape = hook.recorder(as: KeyedTape<String, Journal>.self)
    tape.steps.newest = Int64(Self.lastNumber) - 2
    let effects = Aggregator(initial: Journal(), sources: rows.events)
    let caused = TapeRecorder(effects)
    for event in 1...4 { rows.send(event) }
    #expect(caused.recording.entries.map(\.event) == [1, 2, 3, 4])
    let causes = caused.recording.entries.map(\.cause)
    #expect(causes == [1, 0].map { Cause(lane: recorder.lane, number: Self.lastNumber - $0) } + [.unknown, .unknown])
    #expect(recorder.recording.entries.map(\.number) == (-1...2).map { Self.lastNumber + $0 })
  }
}
