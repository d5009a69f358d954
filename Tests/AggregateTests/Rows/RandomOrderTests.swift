import TestSupport
import Testing

@testable import Aggregate

/// Programs that change collections with keys in every way, beside an array of keys and a dictionary of rows. Copies
/// are kept, and must stay as they were.
@Suite("Keyed and OrderedKeyed beside arrays and dictionaries: random programs")
struct RandomOrderTests {
  /// A row with a reference.
  private typealias Text = String

  private struct Reference<Row: Equatable>: Equatable {
    var keys: [Int] = []
    var rows: [Int: Row] = [:]

    mutating func set(_ key: Int, _ row: Row?) {
      if row == nil { keys.removeAll { $0 == key } } else if rows[key] == nil { keys.append(key) }
      rows[key] = row
    }

    mutating func move(_ key: Int, to index: Int) {
      guard let old = keys.firstIndex(of: key) else { return }
      keys.remove(at: old)
      keys.insert(key, at: min(max(0, index), keys.count))
    }
  }

  private func ordered<Row: Hashable & Comparable & Sendable>(_ makeRow: (Int) -> Row) {
    for seed in 0..<UInt64(rounds(10_000)) {
      var random = SplitMix(seed: seed)
      var rows = OrderedKeyed<Int, Row>()
      var reference = Reference<Row>()
      var kept: [(rows: OrderedKeyed<Int, Row>, reference: Reference<Row>)] = []
      for _ in 0..<60 {
        let key = Int.random(in: 0..<12, using: &random)
        let row = makeRow(Int.random(in: 0..<100, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3:
          rows[key] = row
          reference.set(key, row)
        case 3:
          rows[key] = nil
          reference.set(key, nil)
        case 4:
          let removed = rows.removeValue(forKey: key)
          #expect(removed == reference.rows[key])
          reference.set(key, nil)
        case 5:
          let taken = rows[key].take()
          #expect(taken == reference.rows[key])
          reference.set(key, nil)
        case 6:
          if rows[key] != nil { reference.set(key, row) }
          modify(&rows[key]) { $0? = row }
        case 7..<10:
          let index = Int.random(in: -2..<14, using: &random)
          rows.move(key, to: index)
          reference.move(key, to: index)
        case 10:
          // Of few values, so that some are equal and stay in their order.
          rows.sort { $0.key % 3 < $1.key % 3 }
          let sorted = reference.keys.enumerated().sorted { ($0.element % 3, $0.offset) < ($1.element % 3, $1.offset) }
          reference.keys = sorted.map(\.element)
        default:
          kept.append((rows, reference))
        }
        expect(rows, reference, seed)
      }
      for (rows, reference) in kept { expect(rows, reference, seed) }
    }
  }

  private func modify<Value>(_ value: inout Value, _ change: (inout Value) -> Void) { change(&value) }

  private func expect<Row>(_ rows: OrderedKeyed<Int, Row>, _ reference: Reference<Row>, _ seed: UInt64) {
    #expect(rows.keys == reference.keys && rows.count == reference.keys.count, "seed \(seed)")
    #expect(
      rows.map(\.key) == reference.keys && rows.map(\.value) == reference.keys.map { reference.rows[$0] },
      "seed \(seed)"
    )
    for key in 0..<12 where rows[key: key] != reference.rows[key] { Issue.record("seed \(seed), key \(key)") }
    guard let places = rows.places else { return }
    #expect(zip(places.labels, places.labels.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed): labels do not rise")
    #expect(places.labels == rows.slots.map { places.labelOf[$0] }, "seed \(seed): a label has lost its row")
  }

  @Test("An OrderedKeyed is as an array of keys and a dictionary: rows without references")
  func numbers() {
    ordered { $0 }
  }

  @Test("An OrderedKeyed is as an array of keys and a dictionary: rows with references")
  func texts() {
    ordered { "a row that is too long for sixteen bytes, \($0)" as Text }
  }

  @Test("Many moves to one place leave the labels in their order, and give few of them a new number")
  func crowded() {
    var keys = Array(0..<1000)
    var places = SlotPlaces(keys)
    var random = SplitMix(seed: 1)
    var renumbered = 0
    for _ in 0..<rounds(100_000) {
      let old = Int.random(in: 0..<keys.count, using: &random)
      guard old != 1 else { continue }
      let before = places.labelOf
      keys.moveElement(from: old, to: 1)
      places.move(from: old, to: 1, keys)
      renumbered += zip(before, places.labelOf).count { $0 != $1 }
    }
    #expect(keys.sorted() == Array(0..<1000))
    #expect(places.labels == keys.map { places.labelOf[$0] })
    #expect(zip(places.labels, places.labels.dropFirst()).allSatisfy { $0 < $1 })
    // The moved one, and a number of others that is about the logarithm of all.
    #expect(renumbered < rounds(100_000) * 20)
  }

  @Test("A Keyed is as a dictionary, and two are equal as the dictionaries are, whichever came of which")
  func keyed() {
    keyed { $0 }
    keyed { "a row that is too long for sixteen bytes, \($0)" as Text }
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

extension OrderedKeyed where Key == Int {
  /// The row of a key: an integer might also be a position.
  fileprivate subscript(key key: Int) -> Row? { self[key] }
}
