import Aggregate
import RASPTesting
import Streams
import Testing

struct Tick: Sendable, Equatable {
  var symbol: String
  var price: Double
}

struct Quote: AggregateState, Equatable {
  var price = 0.0
  var open: Double?
  var count = 0
  var change: Double { price - (open ?? price) }

  mutating func apply(_ tick: Tick) {
    if open == nil { open = tick.price }
    price = tick.price
    count += 1
  }
}

@Suite struct KeyedAggregatorTests {
  private func makeQuotes() -> KeyedAggregator<String, Quote> {
    KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() })
  }

  @Test("an event is folded into the row of its key, which is made on demand")
  func folds() {
    let quotes = makeQuotes()
    quotes.send(Tick(symbol: "A", price: 1))
    quotes.send(Tick(symbol: "B", price: 2))
    quotes.send(Tick(symbol: "A", price: 3))
    #expect(quotes.snapshot["A"] == Quote(price: 3, open: 1, count: 2))
    #expect(quotes["B"].current == Quote(price: 2, open: 2, count: 1))
    #expect(quotes.snapshot["C"] == nil)
    #expect(quotes.snapshot.count == 2)
    #expect(quotes.snapshot.rows.keys.sorted() == ["A", "B"])
  }

  @Test("a selection of a row has nil while there is no such row, and is told of its own row only")
  func selects() {
    let quotes = makeQuotes()
    let prices = Recorder(quotes["A"].select(\.price).observable)
    quotes.send(Tick(symbol: "B", price: 2))
    quotes.send(Tick(symbol: "A", price: 1))
    quotes.send(Tick(symbol: "A", price: 1))
    quotes.send(Tick(symbol: "A", price: 4))
    #expect(quotes["A"].subscriberCount == 1)
    quotes.remove("A")
    #expect(prices.values == [nil, 1, 4, nil])
    quotes.send(Tick(symbol: "A", price: 5))
    #expect(prices.values == [nil, 1, 4, nil, 5])
    #expect(quotes["A"].current?.count == 1)
  }

  @Test("each sends what is there, and then what changes")
  func each() {
    let quotes = makeQuotes()
    quotes.send(Tick(symbol: "A", price: 1))
    let prices = Recorder(quotes.each(\.price).map { "\($0.key)\($0.value)" })
    quotes.send(Tick(symbol: "A", price: 1))
    quotes.send(Tick(symbol: "B", price: 2))
    quotes.remove("B")
    quotes.send(Tick(symbol: "B", price: 2))
    #expect(prices.values == ["A1.0", "B2.0", "B2.0"])
  }

  @Test("changes sends insertions, updates and removals")
  func changes() {
    let quotes = makeQuotes()
    quotes.send(Tick(symbol: "A", price: 1))
    let changes = Recorder(quotes.changes)
    quotes.send(Tick(symbol: "A", price: 2))
    quotes.send(Tick(symbol: "B", price: 3))
    quotes.remove("A")
    #expect(
      changes.values == [
        .inserted("A", Quote(price: 1, open: 1, count: 1)),
        .updated("A", Quote(price: 2, open: 1, count: 2)),
        .inserted("B", Quote(price: 3, open: 3, count: 1)),
        .removed("A", last: Quote(price: 2, open: 1, count: 2), .removed),
      ]
    )
  }

  @Test("a ranking speaks only when what it shows changes")
  func ranked() {
    let quotes = makeQuotes()
    let names = Recorder(quotes.ranked(by: \.price, first: 2).observable.map { $0.map(\.key).joined() })
    for (symbol, price) in [("A", 1.0), ("B", 2), ("C", 0.5), ("C", 0.7), ("C", 3), ("A", 1.5), ("B", 0)] {
      quotes.send(Tick(symbol: symbol, price: price))
    }
    quotes.remove("C")
    #expect(names.values == ["", "A", "BA", "CB", "CA", "AB"])
    #expect(quotes.ranked(by: \.price, .ascending, first: 5).current.map(\.key) == ["B", "A"])
  }

  @Test("counts and sets of keys follow a condition")
  func counts() {
    let quotes = makeQuotes()
    let count = Recorder(quotes.count { $0.price > 1 }.observable)
    let keys = Recorder(quotes.keys { $0.price > 1 }.observable)
    quotes.send(Tick(symbol: "A", price: 2))
    quotes.send(Tick(symbol: "B", price: 1))
    quotes.send(Tick(symbol: "B", price: 2))
    quotes.send(Tick(symbol: "A", price: 1))
    quotes.remove("B")
    #expect(count.values == [0, 1, 2, 1, 0])
    #expect(keys.values == [[], ["A"], ["A", "B"], ["B"], []])
  }
}
