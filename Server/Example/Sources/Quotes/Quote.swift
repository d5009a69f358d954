import Aggregate
import RASPKeyed

/// A price as it came in.
struct Tick: Codable, Sendable {
  let symbol: String
  let price: Double
  /// The time at which the process has read it, in seconds.
  let readAt: Double

  /// Reads `S17 101.25`.
  init?(_ line: String, readAt: Double) {
    let words = line.split(separator: " ")
    guard words.count == 2, let price = Double(words[1]) else { return nil }
    (symbol, self.price, self.readAt) = (String(words[0]), price, readAt)
  }
}

/// An instrument: one row.
struct Quote: AggregateState, Codable, Equatable {
  struct Refusal: Error {}

  struct Shown: Codable, Equatable, Sendable {
    var price: Double
    var readAt: Double
  }

  var shown: Shown?
  var first = 0.0
  var ticks = 0

  mutating func apply(_ tick: Tick) throws(Refusal) {
    guard tick.price > 0, tick.price.isFinite else { throw Refusal() }
    if ticks == 0 { first = tick.price }
    shown = Shown(price: tick.price, readAt: tick.readAt)
    ticks += 1
  }

  /// How much the price has moved, as a part of the first one.
  var move: Double { shown.map { $0.price / first - 1 } ?? 0 }
}

typealias Quotes = KeyedAggregator<String, Quote>
