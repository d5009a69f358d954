import Aggregate
import RASPKeyed
import Streams

extension Shape {
  /// Every row is selected by itself; an event of the shape is 30 ticks for as many rows.
  static func keyedRows(_ rows: Int) -> Shape {
    Shape(events: 1_000) { events in
      let market = Market(rows)
      let ticks = market.ticks(events * Market.burst)
      let tally = Tally()
      let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() })
      quotes.send(contentsOf: market.firstTicks)
      let subscriptions = market.symbols.map { symbol in
        quotes[symbol].select(\.price).subscribe { _ in tally.increment() }
      }
      return Run {
        for tick in ticks { quotes.send(tick) }
      } proofs: {
        [
          Proof("deliveries", tally.count, is: rows + events * Market.burst),
          Proof("subscriptions", subscriptions.count { $0.isActive }, is: rows),
        ]
      }
    }
  }

  /// The same by hand.
  static func keyedRowsByHand(_ rows: Int) -> Shape {
    Shape(events: 1_000) { events in
      let market = Market(rows)
      let ticks = market.ticks(events * Market.burst)
      let tally = Tally()
      let quotes = HandWrittenQuotes()
      for tick in market.firstTicks { quotes.send(tick) }
      for symbol in market.symbols { quotes.observe(symbol) { _ in tally.increment() } }
      return Run {
        for tick in ticks { quotes.sendAndNotify(tick) }
      } proofs: {
        [Proof("deliveries", tally.count, is: events * Market.burst)]
      }
    }
  }

  /// Rows without a subscriber.
  static let keyedUnobserved = Shape(events: 30_000) { events in
    let market = Market(10_000)
    let ticks = market.ticks(events)
    let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() })
    quotes.send(contentsOf: market.firstTicks)
    return Run {
      for tick in ticks { quotes.send(tick) }
    } proofs: {
      let folded = quotes.rows().values.reduce(0) { $0 + $1.count }
      return [Proof("folded events", folded, is: market.symbols.count + events)]
    }
  }

  /// The same by hand.
  static let keyedUnobservedByHand = Shape(events: 30_000) { events in
    let market = Market(10_000)
    let ticks = market.ticks(events)
    let quotes = HandWrittenQuotes()
    for tick in market.firstTicks { quotes.send(tick) }
    return Run {
      for tick in ticks { quotes.send(tick) }
    } proofs: {
      [Proof("folded events", quotes.count, is: market.symbols.count + events)]
    }
  }
}
