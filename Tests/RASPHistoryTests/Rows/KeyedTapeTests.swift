import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

private struct TapeTick: Equatable, Sendable {
  let symbol: String
  let price: Int
}

private struct TapeQuote: AggregateState, Equatable {
  var price = 0
  var prices: [Int] = []

  mutating func apply(_ tick: TapeTick) {
    price = tick.price
    prices.append(tick.price)
  }
}

@Suite("The tape of a keyed aggregator", .endsInTime)
struct KeyedTapeTests {
  private typealias Rows = RecordedRows<String, TapeQuote>

  private let quotes = KeyedAggregator(by: \TapeTick.symbol, initial: { _ in TapeQuote() })

  private func send(_ symbol: String, _ prices: Int...) {
    for price in prices { quotes.send(TapeTick(symbol: symbol, price: price)) }
  }

  @Test("REC-10: a recording has the steps of all rows, and the rows that they concern")
  func entries() {
    send("A", 1)
    send("B", 2)
    let recorder = TapeRecorder(quotes, as: "quotes", last: 3)
    send("B", 3)
    send("C", 4)
    quotes.remove("B")
    quotes.insert(["D": TapeQuote(price: 9)])

    let recording = recorder.recording
    #expect(recording.entries.map(\.number) == [2, 3, 4])
    #expect(recording.entries.map(\.event.key) == ["C", "B", "D"])
    #expect(recording.entries[0].event.change == .first(TapeTick(symbol: "C", price: 4), of: TapeQuote()))
    #expect(recording.entries[1].event.change == .removed(.removed))
    #expect(recording.initial?.rows == ["B": TapeQuote(price: 3, prices: [2, 3])])
    #expect(recording.state.rows == ["C": TapeQuote(price: 4, prices: [4]), "D": TapeQuote(price: 9)])
    #expect(recording.isReproduced)
    #expect(recording.state(after: 3)?["B"] == nil)
    #expect(recorder.recording(of: "A")?.state == TapeQuote(price: 1, prices: [1]), "no step concerns it")
    #expect(recorder.recording(of: "A")?.entries.isEmpty == true)
  }

  @Test("REC-10: the recording of a row is that of its newest life, and its numbers have gaps")
  func row() {
    let recorder = TapeRecorder(quotes, as: "quotes")
    send("A", 1)
    send("B", 2)
    send("A", 3)
    let first = recorder.recording(of: "A")
    #expect(first?.name == "quotes[\"A\"]")
    #expect(first?.entries.map(\.number) == [1, 3])
    #expect(first?.initial == TapeQuote())
    #expect(first?.isReproduced == true)
    #expect(first?[3]?.event.price == 3)
    #expect(first?[2] == nil)

    quotes.remove("A")
    let gone = recorder.recording(of: "A")
    #expect(gone?.entries.map(\.number) == [1, 3])
    #expect(gone?.state == TapeQuote(price: 3, prices: [1, 3]), "what it was at last")

    send("A", 5)
    #expect(recorder.recording(of: "A")?.entries.map(\.number) == [5])
    #expect(recorder.recording(of: "A")?.state == TapeQuote(price: 5, prices: [5]))
    #expect(recorder.recording(of: "Z") == nil)
  }

  @Test("REC-10: without states before them, the steps are there and nothing is folded again")
  func withoutBase() {
    let recorder = TapeRecorder(quotes, last: 2, keepingBase: false)
    send("A", 1, 2, 3)
    #expect(recorder.recording.initial == nil)
    #expect(recorder.recording.entries.map(\.number) == [2, 3])
    #expect(recorder.recording(of: "A")?.state.prices == [1, 2, 3])
    #expect(recorder.recording(of: "A")?.initial == nil)
  }

  @Test("REC-05: recorders share the tape, the last one ends it, and the next one begins anew")
  func sharing() {
    var first: TapeRecorder<Rows>? = TapeRecorder(quotes, as: "first", last: 1)
    send("A", 1, 2)
    do {
      let second = TapeRecorder(quotes, as: "second", last: 3)
      send("A", 3, 4)
      #expect(second.recording.entries.map(\.number) == [2, 3, 4])
      #expect(second.recording.name == "first")
      #expect(second.recording.isReproduced)
    }
    let lane = first?.lane
    #expect(first?.recording.entries.count == 3)
    first = nil
    send("A", 5)
    let third = TapeRecorder(quotes)
    #expect(third.lane != lane)
    #expect(third.recording.entries.isEmpty)
    send("A", 6)
    #expect(third.recording.entries.map(\.number) == [1])
    #expect(third.recording.initial?["A"]?.prices == [1, 2, 3, 4, 5])
  }

  @Test("REC-04: a recording is taken from inside a subscriber, and has the event whose round it is")
  func insideCallbacks() {
    let recorder = TapeRecorder(quotes)
    let counts = Log<Int>()
    let token = quotes["A"].select(\.price).subscribe { price in
      counts.note(recorder.recording.entries.count)
      if price == 1 { quotes.send(TapeTick(symbol: "B", price: 1)) }
    }
    send("A", 1, 2)
    #expect(counts.entries == [0, 1, 3])
    token.cancel()
  }
}
