import Aggregate
import Streams
import Synchronization

/// A price that was paid for one of many things.
struct Tick: Sendable {
  let symbol: String
  let price: Int
}

/// A row: what is known of one of them.
struct Quote: AggregateState {
  var price = 0
  var open = -1
  var high = 0
  var low = 0
  var count = 0

  mutating func apply(_ tick: Tick) {
    price = tick.price
    if open < 0 { open = tick.price }
    high = max(high, tick.price)
    low = min(low, tick.price)
    count += 1
  }
}

/// The names of many things, and the ticks that a run sends: each prepared before it is measured.
struct Market: Sendable {
  /// The number of ticks that are sent for one event of the shapes in which 30 rows change.
  static let burst = 30

  let symbols: [String]

  init(_ count: Int) {
    symbols = (0..<count).map { "S\($0)" }
  }

  /// Rows that lie apart from each other, with a price that is new for them.
  func ticks(_ count: Int) -> [Tick] {
    var ticks: [Tick] = []
    ticks.reserveCapacity(count)
    var row = 0
    for number in 1...count {
      row = (row + 7_919) % symbols.count
      ticks.append(Tick(symbol: symbols[row], price: number))
    }
    return ticks
  }

  /// A tick for each row.
  var firstTicks: [Tick] { symbols.map { Tick(symbol: $0, price: 0) } }
}

/// The rows by hand: a lock, a dictionary of rows, and one of callbacks.
final class HandWrittenQuotes: Sendable {
  private struct Contents {
    var rows: [String: Quote] = [:]
    var observers: [String: @Sendable (Int) -> Void] = [:]
  }

  private let contents = Mutex(Contents())

  @inline(never)
  func send(_ tick: Tick) {
    contents.withLock { contents in
      contents.rows[tick.symbol, default: Quote()].apply(tick)
    }
  }

  @inline(never)
  func sendAndNotify(_ tick: Tick) {
    contents.withLock { contents in
      let changed = { (quote: inout Quote) -> Bool in
        let old = quote.price
        quote.apply(tick)
        return quote.price != old
      }(&contents.rows[tick.symbol, default: Quote()])
      if changed, let observer = contents.observers[tick.symbol] { observer(tick.price) }
    }
  }

  func observe(_ symbol: String, _ observer: @escaping @Sendable (Int) -> Void) {
    contents.withLock { $0.observers[symbol] = observer }
  }

  var count: Int { contents.withLock { $0.rows.values.reduce(0) { $0 + $1.count } } }
}
