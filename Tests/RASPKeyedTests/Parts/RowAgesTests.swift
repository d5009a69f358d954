import TestSupport
import Testing

@testable import RASPKeyed

@Suite("The ages of rows")
struct RowAgesTests {
  /// Events, and rows that may go and may not go any more, against numbers in a dictionary.
  private func check(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let range = UInt32.random(in: 1...90, using: &random)
    var ages = RowAges()
    var stamps: [UInt32: UInt64] = [:]
    var inside: Set<UInt32> = []
    var lastStamp: UInt64 = 0
    for step in 0..<600 {
      let place = UInt32.random(in: 0..<range, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3:
        lastStamp += 1
        stamps[place] = lastStamp
        ages.touch(place)
      case 3..<5 where stamps[place] != nil:
        inside.insert(place)
        ages.enter(place)
      case 5, 6:
        inside.remove(place)
        ages.leave(place)
      default:
        // The oldest ones go, as beyond a limit.
        guard let first = ages.first else { break }
        inside.remove(first.place)
        ages.leave(first.place)
      }
      let expected = inside.min { stamps[$0, default: 0] < stamps[$1, default: 0] }
      let first = ages.first
      guard first?.place == expected, first?.stamp == expected.flatMap({ stamps[$0] }) else {
        Issue.record("seed \(seed), step \(step)")
        return
      }
    }
    #expect(ages.lastStamp == lastStamp)
    // All go, in the order of their last events.
    var order: [UInt32] = []
    while let first = ages.first {
      order.append(first.place)
      ages.leave(first.place)
    }
    #expect(order == inside.sorted { stamps[$0, default: 0] < stamps[$1, default: 0] }, "seed \(seed)")
  }

  @Test("KEY-06: the row whose last event is the longest ago comes first, whatever rows came back in and left")
  func random() {
    for seed in 0..<UInt64(rounds(3_000)) { check(seed: seed) }
  }
}
