import Aggregate
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
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

@Suite("Rows and views of a keyed aggregator")
struct RowsAndViewsTests {
  private func makeQuotes() -> KeyedAggregator<String, Quote> {
    KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() })
  }

  @Test("KEY-03: an event is folded into the row of its key, which is made on demand")
  func folds() {
    let quotes = makeQuotes()
    quotes.send(Tick(symbol: "A", price: 1))
    quotes.send(Tick(symbol: "B", price: 2))
    quotes.send(Tick(symbol: "A", price: 3))
    #expect(quotes["A"].current == Quote(price: 3, open: 1, count: 2))
    #expect(quotes["B"].current == Quote(price: 2, open: 2, count: 1))
    #expect(quotes["C"].current == nil)
    #expect(quotes.rowCount == 2)
    #expect(quotes.rows().keys.sorted() == ["A", "B"])
  }

  @Test("FACE-123: the rows that were read stay as they are")
  func rowsAreAValue() {
    let quotes = makeQuotes()
    quotes.send(Tick(symbol: "A", price: 1))
    let before = quotes.rows()
    quotes.send(Tick(symbol: "A", price: 2))
    quotes.send(Tick(symbol: "B", price: 3))
    #expect(before.mapValues(\.price) == ["A": 1])
    #expect(quotes.rowCount == 2 && quotes.rows().mapValues(\.price) == ["A": 2, "B": 3])
    quotes.remove("A")
    #expect(quotes.rowCount == 1 && before.count == 1)
  }

  @Test("KEY-03: a selection of a row has nil while there is no such row, and is told of its own row only")
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

  @Test("KEY-04: each sends what is there, and then what changes")
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

  @Test("KEY-04: changes sends insertions, updates and removals")
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

  @Test("KEY-04: a newcomer gets the rows in the order in which they were made")
  func orderOfRows() {
    let quotes = KeyedAggregator(
      by: \Tick.symbol,
      initial: { _ in Quote() },
      rows: ["C": Quote(price: 1), "A": Quote(price: 2)] as KeyValuePairs
    )
    func names() -> String { Recorder(quotes.each(\.price).map(\.key)).values.joined() }
    quotes.insert([(key: "E", value: Quote()), (key: "B", value: Quote()), (key: "A", value: Quote())])
    #expect(names() == "CAEB")
    let early = Recorder(quotes["D"].select(\.price).observable)
    quotes.insert(["F": Quote(), "G": Quote()] as KeyValuePairs)
    quotes.send(Tick(symbol: "D", price: 1))
    #expect(names() == "CAEBFGD")
    for symbol in ["A", "F"] { quotes.remove(symbol) }
    for symbol in ["H", "F", "A"] { quotes.send(Tick(symbol: symbol, price: 1)) }
    #expect(names() == "CEBGDHFA")
    #expect(Recorder(quotes.changes.map(\.key)).values.joined() == "CEBGDHFA")
    for symbol in "CEBGDHFA" { quotes.remove("\(symbol)") }
    early.cancel()
    for symbol in ["B", "A"] { quotes.send(Tick(symbol: symbol, price: 1)) }
    #expect(names() == "BA")
  }

  @Test("KEY-03: an event evaluates the selections of its own row, and no others")
  func evaluations() {
    let quotes = makeQuotes()
    let counters = (0..<100).map { _ in Counter() }
    var recorders: [Recorder<Double?, Never>] = []
    for (index, counter) in counters.enumerated() {
      quotes.send(Tick(symbol: "\(index)", price: 0))
      recorders.append(
        Recorder(
          quotes["\(index)"].select { row in
            counter.increment()
            return row.price
          }.observable
        )
      )
    }
    let before = counters.map(\.value)
    quotes.send(Tick(symbol: "42", price: 1))
    quotes.send(Tick(symbol: "7", price: 1))
    quotes.send(Tick(symbol: "42", price: 2))
    quotes.send(Tick(symbol: "new", price: 2))
    quotes.remove("7")
    let evaluated = zip(counters, before).map { $0.value - $1 }
    #expect(evaluated.indices.filter { evaluated[$0] > 0 } == [7, 42])
    #expect(evaluated[7] == 1)
    #expect(evaluated[42] == 2)
    #expect(recorders[42].values == [0, 1, 2])
  }

  @Test("KEY-05: a ranking speaks only when what it shows changes")
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

  @Test("KEY-05: counts and sets of keys follow a condition")
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

  @Test("KEY-05: equal values are in the order in which the rows were made, in whatever order they were subscribed to")
  func ties() {
    let quotes = makeQuotes()
    let late = Recorder(quotes["C"].select(\.price).observable)
    let ranking = quotes.ranked(by: \.price, first: 5)
    let names = Recorder(ranking.observable.map { $0.map(\.key).joined() })
    for symbol in ["A", "B", "C"] { quotes.send(Tick(symbol: symbol, price: 1)) }
    quotes.remove("A")
    #expect(ranking.current.map(\.key) == ["B", "C"])
    quotes.send(Tick(symbol: "A", price: 1))
    #expect(names.values == ["", "A", "AB", "ABC", "BC", "BCA"])
    #expect(ranking.current.map(\.key) == ["B", "C", "A"])
    #expect(late.values == [nil, 1])
  }

  @Test("KEY-03: a selection of a field of a selected field of a row leaves with its last subscriber")
  func selectsFurther() {
    let quotes = makeQuotes()
    let signs = Recorder(
      quotes["A"].select(\.open).select { $0.map { $0.map { $0 > 1 } } }.select { "\($0 as Any)" }.observable
    )
    for price in [1.0, 2] { quotes.send(Tick(symbol: "A", price: price)) }
    quotes.remove("A")
    quotes.send(Tick(symbol: "A", price: 2))
    #expect(signs.values.count == 4)
    #expect(quotes["A"].subscriberCount == 1)
    signs.cancel()
    #expect(quotes["A"].subscriberCount == 0)
    quotes.send(Tick(symbol: "A", price: 3))
    #expect(signs.values.count == 4)
  }

  @Test("KEY-03: rows that are there from the start, and rows that are put in: each replaces the one of its key")
  func insertion() {
    let quotes = KeyedAggregator(
      by: \Tick.symbol,
      initial: { _ in Quote() },
      rows: ["A": Quote(price: 1), "B": Quote(price: 2)]
    )
    let price = Recorder(quotes["A"].select(\.price).observable)
    let changes = Recorder(quotes.changes.map { "\($0.key)" })
    quotes.insert(["A": Quote(price: 5)])
    quotes.insert(["C": Quote(price: 3)])
    quotes.insert([])
    #expect(price.values == [1, 5])
    #expect(changes.values.sorted() == ["A", "A", "B", "C"])
    #expect(quotes.rows().mapValues(\.price) == ["A": 5, "B": 2, "C": 3])
  }
}
