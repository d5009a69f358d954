import Aggregate

/// A price that was paid for something that is traded under a symbol.
struct Tick: Codable, Equatable, Sendable {
  let symbol: String
  let price: Double
}

/// What is known of one symbol since the market opened: a row.
struct Quote: AggregateState, Codable, Equatable {
  let symbol: String
  let open: Double
  private(set) var price: Double
  /// How many ticks there were.
  private(set) var count = 0

  init(symbol: String, open: Double) {
    self.symbol = symbol
    self.open = open
    price = open
  }

  /// The change since the market opened, in percent.
  var change: Double { (price / open - 1) * 100 }

  mutating func apply(_ tick: Tick) {
    price = tick.price
    count += 1
  }
}
