import Aggregate
import RASPInsight

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

extension Quote {
  /// `+1.50 %`
  var signedChange: String { (change < 0 ? "" : "+") + change.formatted(decimals: 2) + " %" }

  var json: JSON {
    .object([
      "symbol": .string(symbol), "price": .number(price, decimals: 2), "change": .number(change, decimals: 2),
      "count": .integer(Int64(count)),
    ])
  }
}
