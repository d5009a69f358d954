import Aggregate
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

/// Issue 27, "Load", 5.
@Suite("The newest of many rows", .endsInTime)
struct NewestByKeyTests {
  private struct Price: Sendable, Equatable {
    let symbol: Int
    let value: Int
  }

  private struct Quote: AggregateState, Equatable {
    var price = 0

    mutating func apply(_ price: Price) { self.price = price.value }
  }

  private func quotes() -> KeyedAggregator<Int, Quote> {
    KeyedAggregator(by: { $0.symbol }, initial: { _ in Quote() })
  }

  @Test("LOAD-40: the first look gives what is there, and each look one entry for each key that has changed")
  func looks() async {
    let quotes = quotes()
    quotes.send(Price(symbol: 1, value: 10))
    var reader = quotes.newest(of: [1, 2, 1], \.price).makeAsyncIterator()
    let first = await reader.next()
    #expect(first?.map(\.key) == [1, 2] && first?.map(\.value) == [10, nil])
    for value in 0..<100 { quotes.send(Price(symbol: 2, value: value)) }
    quotes.send(Price(symbol: 1, value: 11))
    quotes.send(Price(symbol: 3, value: 1))
    let second = await reader.next()
    #expect(second?.map(\.key) == [2, 1] && second?.map(\.value) == [99, 11])
    quotes.remove(2)
    let third = await reader.next()
    #expect(third?.map(\.key) == [2] && third?.map(\.value) == [nil])
    quotes.send(Price(symbol: 1, value: 12))
    quotes.finish()
    let last = await reader.next()
    #expect(last?.map(\.value) == [12])
    #expect(await reader.next() == nil)
    #expect(await reader.next() == nil)
  }

  @Test("LOAD-41: a reader that waits is woken, and its task can be cancelled")
  func waiting() async {
    let quotes = quotes()
    let seen = Log<Int>()
    let reading = Task {
      for await changes in quotes.newest(\.price) {
        for (key, value) in changes { seen.note(key * 100 + value) }
      }
    }
    for symbol in 1...3 {
      quotes.send(Price(symbol: symbol, value: symbol))
      #expect(await eventually { seen.count == symbol })
    }
    #expect(seen.entries == [101, 202, 303])
    reading.cancel()
    await reading.value
    quotes.send(Price(symbol: 1, value: 5))
    #expect(seen.count == 3)
  }

  @MainActor
  @Test("LOAD-41: a reader that is cancelled before it has run again reads nothing more")
  func cancelledWhileWoken() async {
    let quotes = quotes()
    let seen = Log<Int>()
    let reading = Task { @MainActor in
      for await changes in quotes.newest(\.price) {
        for (key, value) in changes { seen.note(key * 100 + value) }
      }
    }
    quotes.send(Price(symbol: 1, value: 1))
    #expect(await eventually { seen.count == 1 })
    // It cannot run between the two lines, because it runs where they do.
    quotes.send(Price(symbol: 1, value: 2))
    reading.cancel()
    await reading.value
    #expect(seen.entries == [101])
  }

  private struct Board: AggregateState {
    var rows = Keyed<Int, Quote>()

    mutating func apply(_ price: Price) {
      if price.value < 0 { rows[price.symbol] = nil } else { rows[price.symbol, default: Quote()].apply(price) }
    }
  }

  @Test("LOAD-42: rows of a collection in a state are read in the same way")
  func inState() async {
    let board = Aggregator(initial: Board())
    var reader = board.newest(of: [1, 2], in: \.rows, { $0.price }).makeAsyncIterator()
    #expect(await reader.next()?.map(\.value) == [nil, nil])
    board.send(Price(symbol: 2, value: 7))
    board.send(Price(symbol: 3, value: 7))
    let changes = await reader.next()
    #expect(changes?.map(\.key) == [2] && changes?.map(\.value) == [7])
    board.send(Price(symbol: 2, value: -1))
    #expect(await reader.next()?.map(\.value) == [nil])
  }

  @Test("KEY-02: a row whose newest values are read is selected beside that, and speaks only when it differs")
  func besideSelection() async {
    let board = Aggregator(initial: Board())
    var reader = board.newest(of: [1], in: \.rows, { $0.price }).makeAsyncIterator()
    let price = Recorder(board.select(\.rows, key: 1).observable.map { $0?.price })
    #expect(await reader.next()?.map(\.value) == [nil])
    for _ in 0..<2 { board.send(Price(symbol: 1, value: 7)) }
    #expect(price.values == [nil, 7])
  }

  @Test("LOAD-43: a reader that is slower than its senders ends with what is there, in random programs")
  func random() async {
    for seed in 0..<UInt64(rounds(1_000)) {
      let quotes = quotes()
      let sequences = [quotes.newest(of: 0..<10, \.price), quotes.newest(of: 5..<15, \.price)]
      let readers = sequences.map { sequence in
        Task {
          var random = SplitMix(seed: seed)
          var newest: [Int: Int?] = [:]
          for await changes in sequence {
            for (key, value) in changes { newest[key] = value }
            for _ in 0..<Int.random(in: 0..<3, using: &random) { await Task.yield() }
          }
          return newest
        }
      }
      await Threads.run(count: 2) { thread in
        var random = SplitMix(seed: seed * 2 + UInt64(thread))
        for value in 0..<300 {
          let symbol = Int.random(in: 0..<15, using: &random)
          if Int.random(in: 0..<10, using: &random) == 0 {
            quotes.remove(symbol)
          } else {
            quotes.send(Price(symbol: symbol, value: value))
          }
        }
      }
      // The readers have subscribed by now, or do so before the end.
      for _ in 0..<20 { await Task.yield() }
      quotes.finish()
      let (low, high) = (await readers[0].value, await readers[1].value)
      // Only now is all folded: a reader that subscribes may be the one that delivers what the senders have left.
      let rows = quotes.rows()
      let expected = (0..<15).map { rows[$0]?.price }
      for key in 0..<10 { #expect(low[key] == .some(expected[key]), "seed \(seed)") }
      for key in 5..<15 { #expect(high[key] == .some(expected[key]), "seed \(seed)") }
    }
  }
}
