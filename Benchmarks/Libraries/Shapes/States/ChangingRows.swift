import Aggregate
import Streams
import Synchronization

/// A list on a screen, some rows of which change at each event.
private struct TableState: AggregateState {
  static let count = 10_000
  static let changing = 30

  var rows = Array(repeating: 0, count: count)

  mutating func apply(_ event: Int) {
    for change in 0..<Self.changing { rows[Self.row(event, change)] = event }
  }

  /// The rows that an event changes lie apart from each other.
  static func row(_ event: Int, _ change: Int) -> Int {
    (event &* 7 &+ change &* (count / changing)) % count
  }
}

/// The rows by hand: a lock, the rows as they were, and a compare and an observer for each.
private final class HandWrittenTable: Sendable {
  private struct Contents {
    var state = TableState()
    var rows = TableState().rows
  }

  private let contents = Mutex(Contents())
  private let observers: [@Sendable (Int) -> Void]

  init(_ tally: Tally) {
    observers = (0..<TableState.count).map { _ in { _ in tally.increment() } }
    for observer in observers { observer(0) }
  }

  @inline(never)
  func send(_ event: Int) {
    contents.withLock { contents in
      contents.state.apply(event)
      for row in 0..<observers.count where contents.state.rows[row] != contents.rows[row] {
        contents.rows[row] = contents.state.rows[row]
        observers[row](contents.rows[row])
      }
    }
  }
}

extension Shape {
  /// Every row of a list selected by a closure.
  static let changingRowsByClosure = changingRows("changing-rows-by-closure") { table, row in
    table.select { $0.rows[row] }
  }

  /// The same by key path, which leads through a subscript.
  static let changingRowsByKeyPath = changingRows("changing-rows-by-key-path") { table, row in
    table.select(\.rows[row])
  }

  /// The same by hand.
  static let changingRowsByHand = changingRows("changing-rows-by-hand") { tally in
    let table = HandWrittenTable(tally)
    return (table.send, { true })
  }

  private static func changingRows(
    _ name: String,
    _ select: @escaping @Sendable (Aggregator<TableState>, Int) -> Selection<Int>
  ) -> Shape {
    changingRows(name) { tally in
      let table = Aggregator(initial: TableState())
      let subscriptions = (0..<TableState.count).map { row in
        select(table, row).subscribe { _ in tally.increment() }
      }
      // The aggregator remembers its initial state, so the first event of all copies the rows, once. It changes
      // nothing.
      table.send(0)
      return ({ table.send($0) }, { subscriptions.allSatisfy(\.isActive) })
    }
  }

  /// - Parameter open: returns what sends, and whether everything is still subscribed.
  private static func changingRows(
    _ name: String,
    _ open: @escaping @Sendable (Tally) -> (send: (Int) -> Void, isSubscribed: () -> Bool)
  ) -> Shape {
    Shape(name, events: 100) { events in
      let tally = Tally()
      let (send, isSubscribed) = open(tally)
      return Run {
        for event in 1...events { send(event) }
      } proofs: {
        [
          Proof("deliveries", tally.count, is: TableState.count + events * TableState.changing),
          Proof("subscriptions that are active", isSubscribed() ? 1 : 0, is: 1),
        ]
      }
    }
  }
}
