import Aggregate

/// A thing in a collection with keys.
struct Item: Equatable, Sendable {
  var v = 0
  var w = 0
}

/// A state with a collection with keys, and with a field beside it.
struct RowsState: AggregateState {
  enum Event: Sendable {
    case add(Int)
    case remake(Int)
    case other
  }

  var rows: Keyed<Int, Item>
  var other = 0

  init(_ count: Int) {
    rows = Keyed(Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, Item()) }))
  }

  mutating func apply(_ event: Event) {
    switch event {
    case .add(let key): rows[key]?.v += 1
    case .remake(let key):
      rows[key] = nil
      rows[key] = Item()
    case .other: other += 1
    }
  }
}

/// The same with the rows in an order.
struct OrderedState: AggregateState {
  var ordered: OrderedKeyed<Int, Item>

  init(_ count: Int) {
    ordered = OrderedKeyed((0..<count).map { (key: $0, value: Item()) })
  }

  mutating func apply(_ key: Int) {
    ordered[key]?.v += 1
  }
}

/// A state for views, and the state that is undone.
struct FormState: AggregateState, Equatable {
  enum Event: Sendable {
    case count(Int)
    case name(String)
    case other
  }

  var count = 0
  var name = "a name that is too long for sixteen bytes"
  var other = 0
  var list: [Int] = []

  mutating func apply(_ event: Event) {
    switch event {
    case .count(let count): self.count = count
    case .name(let name): self.name = name
    case .other: other &+= 1
    }
  }
}
