import Aggregate
import TestSupport
import Testing

@testable import RASPKeyed

@Suite("The store of rows")
struct RowStoreTests {
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
      let store = RowStore<Name, Item>(evicting: .never)
      var model: [Name: Int] = [:]
      var addresses: [Name: UnsafeRawPointer] = [:]
      var order: [Name] = []
      let range = Int.random(in: 1...120, using: &random)
      for step in 0..<600 {
        let name = Name(number: Int.random(in: 0..<range, using: &random))
        if Int.random(in: 0..<5, using: &random) < (step / 100) % 4 {
          let row = store.rows[name]
          #expect((row != nil) == (model[name] != nil))
          if let row {
            let state = store.change { store.takeState(of: row) }
            #expect(state.value == model[name])
          }
          model[name] = nil
          order.removeAll { $0 == name }
        } else {
          let row = store.rowOrNew(of: name)
          if model[name] == nil {
            order.append(name)
            addresses[name] = UnsafeRawPointer(row.address)
          }
          #expect(addresses[name] == UnsafeRawPointer(row.address), "seed \(seed)")
          let replaced = store.change { store.setState(Item(value: step), of: row) }
          #expect(replaced?.value == model[name])
          model[name] = step
        }
        #expect([store.stateCount, store.rows.count] == [model.count, model.count])
        let probe = Name(number: Int.random(in: 0..<range, using: &random))
        #expect(store.state(of: probe)?.value == model[probe], "seed \(seed)")
      }
      #expect(store.inOrder.map(\.key) == order, "seed \(seed)")
      #expect(Dictionary(uniqueKeysWithValues: store.states.map { ($0.key, $0.value.value) }) == model)
    }
  }

  /// A state with an alignment of its own.
  private struct Wide<Value: Sendable & Equatable>: AggregateState {
    var value: Value
    mutating func apply(_ event: Value) { value = event }
  }

  private func checkLayout<Key: Hashable & Sendable, Value: Sendable & Equatable>(_ key: Key, _ value: Value) {
    let row = KeyedRow<Key, Wide<Value>>(key)
    #expect(row.address == UnsafePointer(withUnsafeMutablePointer(to: &row.memory) { $0 }))
    #expect(!row.hasState && row.state == nil && row.key == key)
    let store = RowStore<Key, Wide<Value>>(evicting: .never)
    _ = store.change { store.setState(Wide(value: value), of: row) }
    #expect(row.presentState.pointee.value == value && row.state?.value == value && row.memory?.value == value)
    #expect(row.key == key && row.number == 1)
  }

  @Test("What the code relies on of the layout: where the state is, and that it is at the address of its optional")
  func layout() {
    checkLayout(1, 7)
    checkLayout("key", "value")
    checkLayout(true, UInt8(7))
    checkLayout(UInt8(1), SIMD16<Double>(repeating: 7))
    checkLayout("key", [7])
  }
}
