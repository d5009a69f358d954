import Aggregate
import AggregateTestSupport

/// A row of a collection with keys.
struct Item: Sendable, Equatable {
  var count = 0
  var label = 0
}

/// What the tests do to `Keyed` and to `OrderedKeyed`.
protocol EditableRows: RowCollection, Equatable where Key == Int, Row == Item {
  init()
  subscript(key: Int) -> Item? { get set }
  mutating func removeValue(forKey key: Int) -> Item?
  mutating func removeAll()
  /// Does something that the other collection cannot do.
  mutating func edit(_ numbers: [Int])
}

extension Keyed: EditableRows where Key == Int, Row == Item {
  mutating func edit(_ numbers: [Int]) {
    if numbers.count == 1 {
      self[numbers[0], default: Item(label: 7)].count += 1
    } else {
      merge(numbers.map { (key: $0, value: Item(count: $0 + numbers.count)) })
    }
  }
}

extension OrderedKeyed: EditableRows where Key == Int, Row == Item {
  mutating func edit(_ numbers: [Int]) {
    if let first = numbers.first {
      move(first, to: numbers.count - 2)
    } else {
      sort { $0.value.count < $1.value.count }
    }
  }
}

/// A state with a collection in a stored property, in one of a stored property, and behind a computed one.
struct Stock<Rows: EditableRows, Manner: RandomTree.Mode>: AggregateState {
  enum Change: Sendable {
    case set(Int, Int)
    case add(Int)
    case relabel(Int, Int)
    case remove(Int)
    case setNil(Int)
    case removeAll
    case edit([Int])
    case replace(Rows)
    case many(Int, Int)
    case count
  }

  struct Event: Sendable {
    var changes: [Change]
    var isRefused = false
  }

  struct Shelf: Sendable {
    var title = 0
    var rows = Rows()
  }

  var changeCount = 0
  var rows = Rows()
  var shelf = Shelf()

  var computed: Rows { rows }

  mutating func apply(_ event: Event) throws(Manner.Refusal) {
    for change in event.changes {
      Self.apply(change, to: &rows)
      Self.apply(change, to: &shelf.rows)
      changeCount += 1
    }
    if event.isRefused { try Manner.refuse() }
  }

  private static func apply(_ change: Change, to rows: inout Rows) {
    switch change {
    case .set(let key, let count): rows[key] = Item(count: count)
    case .add(let key): rows[key]?.count += 1
    case .relabel(let key, let label): rows[key]?.label = label
    case .remove(let key): _ = rows.removeValue(forKey: key)
    case .setNil(let key): rows[key] = nil
    case .removeAll: rows.removeAll()
    case .edit(let numbers): rows.edit(numbers)
    case .replace(let others): rows = others
    case .many(let key, let times): for _ in 0..<times { rows[key, or: Item()].count += 1 }
    case .count: break
    }
  }
}

extension EditableRows {
  fileprivate subscript(key: Int, or item: Item) -> Item {
    get { self[key] ?? item }
    set { self[key] = newValue }
  }
}
