import Aggregate
import TestSupport
import Testing

@testable import RASPKeyed

@Suite("The rankings of several shards in one")
struct RankingMergeTests {
  private struct Quote: AggregateState {
    mutating func apply(_ event: Int) {}
  }

  private typealias Row = RankedRow<Int, Quote, Double>

  private func precedes(_ left: Double, _ right: Double, _ isDescending: Bool) -> Bool {
    if left.isNaN || right.isNaN { return !left.isNaN && right.isNaN }
    return isDescending ? left > right : left < right
  }

  private func sorted(_ rows: [Row], _ isDescending: Bool) -> [Row] {
    // Stable: of rows with equal values, those of the first part come first.
    rows.enumerated().sorted { left, right in
      if precedes(left.element.value, right.element.value, isDescending) { return true }
      return left.offset < right.offset && !precedes(right.element.value, left.element.value, isDescending)
    }.map(\.element)
  }

  private func check(seed: UInt64) {
    var random = SplitMix(seed: seed)
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    let isDescending = number(0..<2) == 0
    let shards = number(1..<6)
    let length = [-1, 0, 1, 3, 10, 40][number(0..<6)]
    let values = [3, 1_000][number(0..<2)]
    let order = RankedOrder<Double>(descending: isDescending)
    var merge = RankingMerge<Int, Quote, Double>(of: shards, first: length, order)
    var parts = Array(repeating: [Row](), count: shards)
    for step in 0..<60 {
      let shard = number(0..<shards)
      // A part is sorted, and no longer than what is shown.
      let rows = (0..<number(0..<15)).map { index in
        Row(key: step * 100 + index, state: Quote(), value: number(0..<12) == 0 ? .nan : Double(number(0..<values)))
      }
      var part = number(0..<3) == 0 ? rows : parts[shard]
      if number(0..<2) == 0 { part += rows.prefix(1) }
      parts[shard] = Array(sorted(part, isDescending).prefix(max(0, length)))
      merge.take(parts[shard], of: shard)
      let merged = merge.whole.map(\.key)
      let expected = sorted(parts.flatMap { $0 }, isDescending).prefix(max(0, length)).map(\.key)
      guard merged == expected else {
        Issue.record("seed \(seed), step \(step): \(merged) and not \(expected)")
        return
      }
    }
  }

  @Test("KEY-05: the first rows of all shards are those of all parts, sorted anew")
  func random() {
    for seed in 0..<UInt64(rounds(20_000)) { check(seed: seed) }
  }

  @Test("KEY-05: the first of many entries are those of all, sorted anew, whatever their number and order")
  func first() {
    var random = SplitMix(seed: 1)
    for _ in 0..<rounds(20_000) {
      let isDescending = Bool.random(using: &random)
      let count = Int.random(in: 0..<[4, 40, 700].randomElement(using: &random)!, using: &random)
      var values = (0..<count).map { _ in
        Int.random(in: 0..<9, using: &random) == 0 ? .nan : Double(Int.random(in: 0..<50, using: &random))
      }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: values.sort { precedes($0, $1, isDescending) }
      case 1: values.sort { precedes($1, $0, isDescending) }
      default: break
      }
      let length = [-1, 0, 1, 10, 300, 1_000].randomElement(using: &random)!
      let entries = values.indices.map { RankedEntry(value: values[$0], number: UInt64($0), row: $0) }
      let first = RankedOrder<Double>(descending: isDescending).first(length, of: entries.shuffled(using: &random))
      let expected = values.indices.sorted { left, right in
        if precedes(values[left], values[right], isDescending) { return true }
        return left < right && !precedes(values[right], values[left], isDescending)
      }
      #expect(first.map(\.row) == Array(expected.prefix(max(0, length))))
    }
  }
}
