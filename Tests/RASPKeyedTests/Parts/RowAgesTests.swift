import TestSupport
import Testing

@testable import RASPKeyed

@Suite("The ages of rows")
struct RowAgesTests {
  /// Events, and rows that may go and may not go any more, against a list of numbers.
  private func check(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let rows = (0..<Int.random(in: 1...90, using: &random)).map { _ in RowAge() }
    let limit = Int.random(in: 1...20, using: &random)
    var ages = RowAges(.beyond(limit))
    // The oldest first.
    var expected: [Int] = []
    for step in 0..<600 {
      let row = Int.random(in: rows.indices, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<5:
        expected.removeAll { $0 == row }
        expected.append(row)
        ages.renew(rows[row])
      case 5:
        expected.removeAll { $0 == row }
        ages.leave(rows[row])
      default:
        let next = ages.beyondLimit()
        guard next === (expected.count > limit ? rows[expected[0]] : nil) else {
          Issue.record("seed \(seed), step \(step)")
          return
        }
        guard let next else { break }
        expected.removeFirst()
        ages.leave(next)
      }
    }
  }

  @Test("KEY-06: the row whose last event is the longest ago comes first, whatever rows came back in and left")
  func random() {
    for seed in 0..<UInt64(rounds(3_000)) { check(seed: seed) }
  }

  @Test("KEY-06: a row is idle if it had no event since a look that is long enough ago")
  func looks() {
    var ages = RowAges(.idle(for: .seconds(8)))
    let (first, second, third) = (RowAge(), RowAge(), RowAge())
    ages.renew(first)
    ages.renew(second)
    let early = ages.look(at: .seconds(0), askedAt: .seconds(0))
    #expect(early == nil)
    ages.renew(first)
    ages.renew(third)
    let tooEarly = ages.look(at: .seconds(7), askedAt: .seconds(7))
    #expect(tooEarly == nil)
    // The look was asked for too early, and folded behind a stall.
    let stalled = ages.look(at: .seconds(20), askedAt: .seconds(7))
    #expect(stalled == nil)
    guard let look = ages.look(at: .seconds(21), askedAt: .seconds(8)) else {
      Issue.record("no look is long enough ago")
      return
    }
    let idle = ages.idle(since: look)
    #expect(idle === second)
    ages.leave(second)
    let none = ages.idle(since: look)
    #expect(none == nil)
    guard let last = ages.look(at: .seconds(40), askedAt: .seconds(40)) else {
      Issue.record("no look is long enough ago")
      return
    }
    var order: [RowAge] = []
    while let row = ages.idle(since: last) {
      order.append(row)
      ages.leave(row)
    }
    #expect(order.map(ObjectIdentifier.init) == [first, third].map(ObjectIdentifier.init))
  }
}
