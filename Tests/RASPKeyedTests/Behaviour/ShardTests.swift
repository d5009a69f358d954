import Aggregate
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Shards")
struct ShardTests {
  private struct Views: Sendable {
    let quotes: KeyedAggregator<String, Quote>
    let prices: Recorder<[String], Never>
    let changes: Recorder<[String], Never>
    let dear: Recorder<Int, Never>
    let best: Recorder<[String], Never>
    let names: Recorder<Set<String>, Never>

    init(shards: Int) {
      let quotes = KeyedAggregator(
        shards: shards,
        indexOf: { Int($0.utf8.first ?? 0) % shards },
        by: \Tick.symbol,
        initial: { _ in Quote() },
        rows: ["a": Quote(price: 0.5), "b": Quote(price: 1.5)]
      )
      self.quotes = quotes
      prices = Recorder(quotes.each(\.price).map { [$0.key, "\($0.value)"] })
      changes = Recorder(quotes.changes.map { ["\($0.key)", "\($0)"] })
      dear = Recorder(quotes.count { $0.price > 3 }.observable)
      best = Recorder(quotes.ranked(by: \.price, first: 4).observable.map { $0.map(\.key) })
      names = Recorder(quotes.keys { $0.price < 2 }.observable)
    }

    func byKey(_ recorder: Recorder<[String], Never>) -> [String: [String]] {
      Dictionary(grouping: recorder.values, by: { $0[0] }).mapValues { $0.map { $0[1] } }
    }
  }

  @Test("KEY-07: packets and rows that are put in come to the shards of their keys, in their order")
  func packets() {
    for seed in 0..<UInt64(rounds(300)) {
      var random = SplitMix(seed: seed)
      let shards = Int.random(in: 1...6, using: &random)
      let (one, many) = (Views(shards: 1), Views(shards: shards))
      for number in 1..<30 {
        let symbols = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
          "\("abcdefgh".randomElement(using: &random) ?? "a")"
        }
        let prices = symbols.indices.map { index in
          Double(Int.random(in: 0..<5, using: &random)) + Double(index + number * 20) / 1000
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
          let rows = zip(symbols, prices).map { (key: $0, value: Quote(price: $1)) }
          for row in rows { one.quotes.insert([row]) }
          many.quotes.insert(rows)
        } else {
          let ticks = zip(symbols, prices).map { Tick(symbol: $0, price: $1) }
          for tick in ticks { one.quotes.send(tick) }
          #expect(many.quotes.send(contentsOf: ticks))
        }
        #expect(one.best.values.last == many.best.values.last, "seed \(seed)")
        #expect(one.names.values.last == many.names.values.last, "seed \(seed)")
      }
      #expect(one.quotes.rows() == many.quotes.rows())
      #expect(one.byKey(one.prices) == many.byKey(many.prices))
      #expect(one.byKey(one.changes) == many.byKey(many.changes))
      #expect(one.dear.values.last == many.dear.values.last)
      many.quotes.finish()
      #expect(!many.quotes.send(contentsOf: []))
      #expect(!many.quotes.send(contentsOf: [Tick(symbol: "a", price: 1), Tick(symbol: "b", price: 1)]))
    }
  }

  @Test("KEY-07: every view over three shards says what it says over one, and each key keeps its order")
  func views() {
    for seed in 0..<UInt64(rounds(300)) {
      var random = SplitMix(seed: seed)
      let (one, three) = (Views(shards: 1), Views(shards: 3))
      for number in 1..<120 {
        let symbol = "\("abcdefgh".randomElement(using: &random) ?? "a")"
        if Int.random(in: 0..<8, using: &random) == 0 {
          one.quotes.remove(symbol)
          three.quotes.remove(symbol)
        } else {
          // No two prices are equal: the order of equal ones over shards is another one.
          let tick = Tick(symbol: symbol, price: Double(Int.random(in: 0..<5, using: &random)) + Double(number) / 1000)
          one.quotes.send(tick)
          three.quotes.send(tick)
        }
        #expect(one.best.values.last == three.best.values.last, "seed \(seed)")
      }
      #expect(one.quotes.rows() == three.quotes.rows())
      #expect(one.quotes.rowCount == three.quotes.rowCount)
      #expect(one.byKey(one.prices) == three.byKey(three.prices))
      #expect(one.byKey(one.changes) == three.byKey(three.changes))
      #expect(one.dear.values == three.dear.values)
      #expect(one.names.values == three.names.values)
      let (first, second) = (one.quotes, three.quotes)
      #expect(
        first.ranked(by: \.price, first: 3).current.map(\.key)
          == second.ranked(by: \.price, first: 3).current.map(\.key)
      )
      #expect(first.keys.current == second.keys.current)
      #expect(first.count { $0.price > 1 }.current == second.count { $0.price > 1 }.current)
    }
  }

  @Test("KEY-07: a newcomer to a query over shards gets one value, that of all shards")
  func newcomer() {
    let quotes = KeyedAggregator(
      shards: 5,
      indexOf: { Int($0.utf8.first ?? 0) % 5 },
      by: \Tick.symbol,
      initial: { _ in Quote() }
    )
    for symbol in "abcdefghij" { quotes.send(Tick(symbol: "\(symbol)", price: 1)) }
    #expect(Recorder(quotes.count { $0.price == 1 }.observable).values == [10])
    #expect(Recorder(quotes.keys.observable).values.map(\.count) == [10])
    #expect(Recorder(quotes.ranked(by: \.price, first: 7).observable).values.map(\.count) == [7])
  }
}
