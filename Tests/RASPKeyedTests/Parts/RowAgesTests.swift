import TestSupport
import Testing

@testable import RASPKeyed

@Suite("The ages of rows")
struct RowAgesTests {
  /// Events, and rows that may go and may not go any more, against numbers in a dictionary.
  private func check(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let range = Int.random(in: 1...90, using: &random)
    let rows = (0..<range).map { _ in RowAge() }
    var ages = RowAges(.beyond(1))
    var stamps: [Int: UInt64] = [:]
    var inside: Set<Int> = []
    var lastStamp: UInt64 = 0
    for step in 0..<600 {
      let place = Int.random(in: 0..<range, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3:
        lastStamp += 1
        stamps[place] = lastStamp
        ages.touch(rows[place])
      case 3..<5 where stamps[place] != nil:
        inside.insert(place)
        ages.enter(rows[place])
      case 5, 6:
        inside.remove(place)
        ages.leave(rows[place])
      default:
        // The oldest ones go, as beyond a limit.
        guard let first = ages.first, let place = rows.firstIndex(where: { $0 === first }) else { break }
        inside.remove(place)
        ages.leave(first)
      }
      let expected = inside.min { stamps[$0, default: 0] < stamps[$1, default: 0] }
      let first = ages.first
      guard first === expected.map({ rows[$0] }), first?.stamp == expected.flatMap({ stamps[$0] }) else {
        Issue.record("seed \(seed), step \(step)")
        return
      }
    }
    #expect(ages.lastStamp == lastStamp)
    // All go, in the order of their last events.
    var order: [Int] = []
    while let first = ages.first {
      order.append(rows.firstIndex { $0 === first } ?? -1)
      ages.leave(first)
    }
    #expect(order == inside.sorted { stamps[$0, default: 0] < stamps[$1, default: 0] }, "seed \(seed)")
  }

  @Test("KEY-06: the row whose last event is the longest ago comes first, whatever rows came back in and left")
  func random() {
    for seed in 0..<UInt64(rounds(3_000)) { check(seed: seed) }
  }
}
