import TestSupport
import Testing

@testable import RASPKeyed

@Suite("The ages of rows")
struct RowAgesTests {
  /// What is kept beside each row: the plain reference is sorted by it, and filtered.
  private struct Reference {
    var stamp: UInt64 = 0
    var isIn = false
    var isWatched = false
  }

  /// Events, rows that go, and subscribers that come and leave, against an array that is sorted anew.
  private func check(seed: UInt64, includingObserved: Bool) {
    var random = SplitMix(seed: seed)
    let range = Int.random(in: 1...90, using: &random)
    let limit = Int.random(in: 1...range, using: &random)
    let rows = (0..<range).map { _ in UntypedRow() }
    var ages = RowAges(.beyond(limit, includingObserved: includingObserved))
    var references = Array(repeating: Reference(), count: range)
    var lastStamp: UInt64 = 0
    /// Those that may go, the oldest first.
    func order() -> [Int] {
      rows.indices.filter { references[$0].isIn && (includingObserved || !references[$0].isWatched) }
        .sorted { references[$0].stamp < references[$1].stamp }
    }
    for step in 0..<600 {
      let place = Int.random(in: 0..<range, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        lastStamp += 1
        references[place].stamp = lastStamp
        references[place].isIn = true
        ages.touch(rows[place])
      case 4..<6 where !references[place].isWatched:
        references[place].isWatched = true
        rows[place].subscribers = .passRetained(RowSubscribers())
      case 4..<8 where references[place].isWatched:
        references[place].isWatched = false
        rows[place].subscribers.take()?.release()
        ages.noteMayGo(rows[place])
      case 8:
        references[place].isIn = false
        ages.leave(rows[place])
      default:
        // The oldest one goes.
        guard let first = ages.first(), let place = rows.firstIndex(where: { $0 === first }) else { break }
        references[place].isIn = false
        ages.leave(first)
      }
      // Not after each step, so that several changes come between two searches.
      if Bool.random(using: &random) { continue }
      let expected = order().first
      let count = references.count(where: \.isIn)
      let isBeyond = count > limit && expected.map { references[$0].stamp < lastStamp } == true
      let border = UInt64.random(in: 0...lastStamp, using: &random)
      let isIdle = expected.map { references[$0].stamp <= border } == true
      guard ages.first() === expected.map({ rows[$0] }), ages.lastStamp == lastStamp,
        (ages.beyondLimit(of: count) != nil) == isBeyond, (ages.idle(since: border) != nil) == isIdle
      else {
        Issue.record("seed \(seed), step \(step)")
        return
      }
    }
    // All go, in the order of their last events.
    let expected = order()
    var gone: [Int] = []
    while let first = ages.first() {
      gone.append(rows.firstIndex { $0 === first } ?? -1)
      ages.leave(first)
    }
    #expect(gone == expected, "seed \(seed)")
  }

  @Test(
    "KEY-06: of the rows without subscribers, the one whose last event is the longest ago comes first, whoever leaves",
    arguments: [false, true]
  )
  func random(includingObserved: Bool) {
    for seed in 0..<UInt64(rounds(2_000)) { check(seed: seed, includingObserved: includingObserved) }
  }
}
