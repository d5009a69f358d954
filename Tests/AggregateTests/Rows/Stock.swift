import Aggregate
import AggregateTestSupport

/// A row of a collection with keys.
struct Item: Sendable, Equatable {
  var count = 0
  var label = 0
}

/// A state with a collection in a stored property, in one of a stored property, and behind a computed one.
struct Stock<Manner: RandomTree.Mode>: AggregateState {
  typealias Rows = Keyed<Int, Item>

  enum Change: Sendable {
    case set(Int, Int)
    case add(Int)
    case relabel(Int, Int)
    case remove(Int)
    case setNil(Int)
    case removeAll
    case addOrMake(Int)
    case merge([Int])
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
    case .addOrMake(let key): rows[key, default: Item(label: 7)].count += 1
    case .merge(let keys): rows.merge(keys.map { (key: $0, value: Item(count: $0 + keys.count)) })
    case .replace(let others): rows = others
    case .many(let key, let times): for _ in 0..<times { rows[key, default: Item()].count += 1 }
    case .count: break
    }
  }
}
