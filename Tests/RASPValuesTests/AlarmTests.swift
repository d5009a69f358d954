import RASPValues
import TestSupport
import Testing

@Suite("Staleness and Hysteresis")
struct AlarmTests {
  @Test("VAL-03: a value is stale before it has come, and when it has reached the limit of its age")
  func stale() {
    var freshness = Staleness(after: .seconds(5))
    #expect(freshness.isStale && freshness.age == nil)
    freshness.advance(to: .seconds(100))
    #expect(freshness.isStale)
    freshness.refresh(at: .seconds(100))
    #expect(!freshness.isStale && freshness.age == .zero)
    freshness.advance(to: .milliseconds(104_999))
    #expect(!freshness.isStale)
    freshness.advance(to: .seconds(105))
    #expect(freshness.isStale && freshness.age == .seconds(5))
    freshness.refresh(at: .seconds(1))
    #expect(!freshness.isStale && freshness.refreshed == .seconds(105), "time does not go back")
  }

  @Test("VAL-03: staleness is as the whole history says, in random programs")
  func randomStaleness() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      let limit = Int.random(in: 0...6, using: &random)
      var freshness = Staleness(after: .seconds(limit))
      var history: [(instant: Int, isValue: Bool)] = []
      for _ in 0..<30 {
        let instant = (history.last?.instant ?? 0) + Int.random(in: 0...3, using: &random)
        let isValue = Bool.random(using: &random)
        history.append((instant, isValue))
        if isValue { freshness.refresh(at: .seconds(instant)) } else { freshness.advance(to: .seconds(instant)) }
        let isFresh = history.contains { $0.isValue && instant - $0.instant < limit }
        #expect(freshness.isStale == !isFresh, "seed \(seed)")
      }
    }
  }

  @Test("VAL-04: between its two thresholds an alarm stays as it is, for values that are too high or too low")
  func thresholds() {
    var high = Hysteresis(raisesAt: 80.0, clearsAt: 70.0)
    let temperatures = [60, 79, 80, 75, 70, 90, .nan, 69, 75]
    let raised = temperatures.map { temperature in
      high.update(with: temperature)
      return high.isRaised
    }
    #expect(raised == [false, false, true, true, true, true, true, false, false])
    var low = Hysteresis(raisesAt: 20, clearsAt: 30)
    #expect([25, 20, 30, 31, 25].map { low.update(with: $0) } == [false, true, false, true, false])
    var same = Hysteresis(raisesAt: 5, clearsAt: 5)
    #expect([4, 5, 4, 6].map { same.update(with: $0) } == [false, true, true, true])
  }

  @Test("VAL-04: an alarm is as the last value outside of the two thresholds says, in random programs")
  func randomHysteresis() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      let (raisesAt, clearsAt) = (Int.random(in: 0...9, using: &random), Int.random(in: 0...9, using: &random))
      var alarm = Hysteresis(raisesAt: raisesAt, clearsAt: clearsAt)
      var history: [Int] = []
      for _ in 0..<30 {
        let value = Int.random(in: -1...10, using: &random)
        history.append(value)
        alarm.update(with: value)
        let isRaised: Bool
        if raisesAt >= clearsAt {
          isRaised = history.last { $0 >= raisesAt || $0 < clearsAt }.map { $0 >= raisesAt } ?? false
        } else {
          isRaised = history.last { $0 <= raisesAt || $0 > clearsAt }.map { $0 <= raisesAt } ?? false
        }
        #expect(alarm.isRaised == isRaised, "seed \(seed)")
      }
    }
  }
}
