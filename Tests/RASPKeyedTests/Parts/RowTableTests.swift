import Aggregate
import TestSupport
import Testing

@testable import RASPKeyed

@Suite("RowTable")
struct RowTableTests {
  private struct Item: AggregateState, Equatable {
    var value = 0
    mutating func apply(_ event: Int) { value = event }
  }

  /// A key, many of which have one hash.
  private struct Name: Hashable, Sendable {
    let number: Int
    static let hashes = 5

    func hash(into hasher: inout Hasher) { hasher.combine(number % Self.hashes) }
  }

  @Test("Rows are found by their keys, also by those that share a hash, until they are removed; they do not move")
  func program() {
    for seed in 0..<UInt64(rounds(200)) {
      var random = SplitMix(seed: seed)
      var table = RowTable<Name, Item>()
      var model: [Name: Int] = [:]
      var addresses: [Name: UnsafeMutableRawPointer] = [:]
      var order: [Name] = []
      let range = Int.random(in: 1...120, using: &random)
      for step in 0..<600 {
        let name = Name(number: Int.random(in: 0..<range, using: &random))
        let key = HashedKey(name)
        if Int.random(in: 0..<5, using: &random) < (step / 100) % 4 {
          let row = table.row(of: key)
          #expect((row != nil) == (model[name] != nil))
          if let row {
            let state = table.takeState(of: row)
            #expect(state.value == model[name])
            table.removeIfEmpty(row)
          }
          model[name] = nil
          order.removeAll { $0 == name }
        } else {
          let row = table.rowOrNew(of: key)
          let address = UnsafeMutableRawPointer(row.pointer)
          if model[name] == nil {
            order.append(name)
            addresses[name] = address
          }
          #expect(addresses[name] == address, "seed \(seed)")
          let replaced = table.setState(Item(value: step), of: row)
          #expect(replaced?.value == model[name])
          model[name] = step
        }
        let counts = [table.stateCount, table.memory.count]
        #expect(counts == [model.count, model.count])
        let probe = Name(number: Int.random(in: 0..<range, using: &random))
        let probed = table.state(of: HashedKey(probe))
        #expect(probed?.value == model[probe], "seed \(seed)")
      }
      let keys = table.states.map(\.key)
      #expect(keys == order, "seed \(seed)")
    }
  }

  #if DEBUG
    @Test("A row that is used after its removal traps in a debug build")
    func removedRow() async {
      await #expect(processExitsWith: .failure) {
        var table = RowTable<Name, Item>()
        let row = table.rowOrNew(of: HashedKey(Name(number: 1)))
        _ = table.rowOrNew(of: HashedKey(Name(number: 2)))
        table.removeIfEmpty(row)
        _ = row.hasState
      }
    }
  #endif

  @Test("The index finds what is in it, whatever the hashes are, and gives memory back")
  func index() {
    for seed in 0..<UInt64(rounds(200)) {
      var random = SplitMix(seed: seed)
      var index = RowIndex()
      var hashes: [Int: UInt32] = [:]
      for step in 0..<800 {
        let row = Int.random(in: 0..<100, using: &random)
        if let hash = hashes.removeValue(forKey: row) {
          index.remove(row, hash: hash)
        } else if step < 500 {
          // Near the upper end, too, where a search begins again at the first slot.
          let hash = UInt32.random(in: 0..<20, using: &random) &- 10
          index.insert(row, hash: hash)
          hashes[row] = hash
        }
        for (row, hash) in hashes {
          let found = index.find(hash) { $0 == row }
          #expect(found == row, "seed \(seed)")
        }
        let nothing = index.find(3) { _ in false }
        #expect(nothing == nil)
      }
      let count = index.count
      #expect(count == hashes.count)
      for (row, hash) in hashes { index.remove(row, hash: hash) }
      let mask = index.mask
      #expect(mask == 7, "seed \(seed)")
    }
  }
}
