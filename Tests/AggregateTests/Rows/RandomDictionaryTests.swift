import TestSupport
import Testing

@testable import Aggregate

/// Programs that change a collection with keys in every way, beside a dictionary of rows. Copies are kept, and must
/// stay as they were.
@Suite("Keyed beside a dictionary: random programs")
struct RandomDictionaryTests {
  private func modify<Value>(_ value: inout Value, _ change: (inout Value) -> Void) { change(&value) }

  @Test("A Keyed is as a dictionary, and two are equal as the dictionaries are, whichever came of which")
  func equality() {
    keyed { $0 }
    keyed { "a row that is too long for sixteen bytes, \($0)" }
  }

  private func keyed<Row: Hashable & Sendable>(_ makeRow: (Int) -> Row) {
    for seed in 0..<UInt64(rounds(5_000)) {
      var random = SplitMix(seed: seed)
      var copies: [(rows: Keyed<Int, Row>, reference: [Int: Row])] = [(Keyed(), [:])]
      for _ in 0..<40 {
        var (rows, reference) = copies[Int.random(in: 0..<copies.count, using: &random)]
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          let key = Int.random(in: 0..<4, using: &random)
          let row = makeRow(Int.random(in: 0..<2, using: &random))
          switch Int.random(in: 0..<7, using: &random) {
          case 0, 1:
            rows[key] = row
            reference[key] = row
          case 2:
            modify(&rows[key]) { $0? = row }
            if reference[key] != nil { reference[key] = row }
          case 3:
            #expect(rows[key].take() == reference[key], "seed \(seed)")
            reference[key] = nil
          case 4:
            modify(&rows[key, default: row]) { _ in }
            modify(&reference[key, default: row]) { _ in }
          case 5:
            #expect(rows.removeValue(forKey: key) == reference.removeValue(forKey: key), "seed \(seed)")
          default:
            modify(&rows[key]) { $0 = row }
            reference[key] = row
          }
        }
        #expect(rows.dictionary == reference, "seed \(seed)")
        copies.append((rows, reference))
      }
      for left in copies.suffix(12) {
        #expect(left.rows.dictionary == left.reference, "seed \(seed)")
        for right in copies {
          #expect((left.rows == right.rows) == (left.reference == right.reference), "seed \(seed)")
        }
      }
    }
  }
}
