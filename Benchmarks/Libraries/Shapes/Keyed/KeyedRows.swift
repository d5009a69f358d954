import Aggregate
import RASPInsight
import RASPKeyed
import Streams

extension Shape {
  /// Every row is selected by itself; an event of the shape is 30 ticks for as many rows.
  static func keyedRows(_ rows: Int) -> Shape {
    Shape("keyed-rows-\(rows)", events: 1_000) { events in
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
    Shape("keyed-rows-by-hand-\(rows)", events: 1_000) { events in
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
  static let keyedUnobserved = keyed("keyed-unobserved") { _, _ in [] }

  /// The same, recorded.
  static let keyedRecorded = keyed("keyed-recorded") { quotes, tally in
    let recorder = Insight().record(quotes, as: "quotes")
    tally.increment()
    return [Subscription { withExtendedLifetime(recorder) {} }]
  }

  /// The same by hand.
  static let keyedUnobservedByHand = Shape("keyed-unobserved-by-hand", events: 30_000) { events in
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

  /// One subscriber to a field of all rows.
  static let keyedEach = keyed("keyed-each") { quotes, tally in
    [quotes.each(\.price).subscribe { _ in tally.increment() }]
  }

  /// The first 20 rows of so many; each event gives a row another place.
  static func keyedRanking(_ rows: Int) -> Shape {
    keyed("keyed-ranking-\(rows)", rows: rows) { quotes, tally in
      // Most rows are far from the window.
      [quotes.ranked(by: { ($0.price &* 2_654_435_761) & 0xFFFF_FFFF }, first: 20).subscribe { _ in tally.increment() }]
    }
  }

  private static func keyed(
    _ name: String,
    rows: Int = 10_000,
    _ subscribe: @escaping @Sendable (KeyedAggregator<String, Quote>, Tally) -> [Subscription]
  ) -> Shape {
    Shape(name, events: 30_000) { events in
      let market = Market(rows)
      let ticks = market.ticks(events)
      let tally = Tally()
      let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() })
      quotes.send(contentsOf: market.firstTicks)
      let subscriptions = subscribe(quotes, tally)
      return Run {
        for tick in ticks { quotes.send(tick) }
      } proofs: {
        let folded = quotes.rows().values.reduce(0) { $0 + $1.count }
        return [
          Proof("folded events", folded, is: rows + events),
          Proof("deliveries", tally.count, isIn: subscriptions.isEmpty ? 0...0 : 1...(rows + events)),
        ]
      }
    }
  }
}
