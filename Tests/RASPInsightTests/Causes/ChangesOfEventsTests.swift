import Aggregate
import Streams
import TestSupport
import Testing

@testable import RASPInsight

@Suite("What some events of a recording have changed")
struct ChangesOfEventsTests {
  /// Refuses odd amounts above nine.
  private struct Account: AggregateState {
    struct Refused: Error {}

    var balance = 0
    var notes: [Int: String] = [:]

    mutating func apply(_ amount: Int) throws(Refused) {
      if amount > 9, amount % 2 == 1 { throw Refused() }
      balance += amount
      notes[amount % 4] = amount % 3 == 0 ? nil : "\(amount)"
    }
  }

  @Test("WHY-11: they are those that a drawing of all events shows, whatever events are asked for")
  func likeTheDrawing() {
    var random = SplitMix(seed: 11)
    for _ in 0..<rounds(2_000) {
      var numbers: [Int] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        // Several entries may have one number, and there may be gaps.
        numbers.append((numbers.last ?? 0) + Int.random(in: 0...2, using: &random))
      }
      let entries = numbers.map { number in
        Recording<Account>.Entry(number: number, event: Int.random(in: 0...14, using: &random))
      }
      let recording = Recording(name: "account", lane: 1, initial: Account(), entries: entries, state: Account())
      let wanted = Set((0...14).filter { _ in Bool.random(using: &random) })
      var expected: [Int: [Timeline.Change]] = [:]
      for (entry, occurrence) in zip(entries, recording.drawnOccurrences) where wanted.contains(entry.number) {
        if occurrence.failure == nil { expected[entry.number, default: []] += occurrence.changes }
      }
      #expect(recording.changes(of: wanted) == expected)
    }
  }

  @Test("WHY-12: without a state nothing is known")
  func withoutState() {
    let entries = [Recording<Account>.Entry(number: 1, event: 2)]
    let recording = Recording(name: "account", lane: 1, initial: nil, entries: entries, state: Account())
    #expect(recording.changes(of: [1]).isEmpty)
  }
}
