import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

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

  @Test(
    "REC-10: recordings that are taken while shards fold have no hole, and every cause is there",
    arguments: [16, 100_000]
  )
  func shards(count: Int) async {
    let rows = KeyedAggregator(
      shards: 4,
      indexOf: { $0 % 4 },
      by: { (event: Hop) in event.row },
      initial: { _ in Hops() }
    )
    let recorder = TapeRecorder(rows, last: count)
    // Each first hop makes a second one, in a row of another shard as a rule.
    let token = rows.events.subscribe { hop in
      if hop.isFirst { rows.send(Hop(row: hop.row + 1, isFirst: false)) }
    }
    let isDone = Flag()
    let turns = rounds(5_000)
    await Threads.run {
      for turn in 0..<turns { rows.send(Hop(row: turn % 16, isFirst: true)) }
    } _: {
      for turn in 0..<turns { rows.send(Hop(row: turn % 13, isFirst: true)) }
      isDone.raise()
    } _: {
      while !isDone.isRaised { check(recorder.recording) }
    }
    #expect(await eventually { rows.rows().values.reduce(0) { $0 + $1.count } == 4 * turns })
    check(recorder.recording)
    #expect(recorder.recording.entries.last?.number == 4 * turns)
    #expect(recorder.recording.entries.count == min(count, 4 * turns))
    token.cancel()
  }

  private func check(_ recording: Recording<RecordedRows<Int, Hops>>) {
    let numbers = Set(recording.entries.map(\.number))
    #expect(numbers.count == recording.entries.count)
    #expect(recording.isReproduced)
    for entry in recording.entries where entry.event.event?.isFirst == false {
      #expect(entry.cause.lane == recording.lane)
      #expect(entry.cause.number < entry.number)
      let isThere = numbers.contains(entry.cause.number)
      #expect(isThere || entry.cause.number < recording.entries[0].number)
    }
  }
}

private struct Hop: Sendable {
  let row: Int
  let isFirst: Bool
}

private struct Hops: AggregateState, Equatable {
  var count = 0

  mutating func apply(_: Hop) { count += 1 }
}
