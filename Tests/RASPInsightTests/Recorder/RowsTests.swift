import Aggregate
import RASPInsight
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

private struct Tick: Sendable {
  let symbol: String
  var price: Double?
  var name: String?
}

private struct Quote: AggregateState, Equatable {
  var price = 0.0
  var name: String?

  mutating func apply(_ tick: Tick) {
    price = tick.price ?? price
    name = tick.name ?? name
  }
}

@Suite("Why is this row so?")
struct RowsTests {
  private let time = VirtualScheduler()
  private let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() })

  @Test("REC-11: an explanation of a row names the event that gave the field its value, and its causes")
  func why() {
    let insight = Insight(on: time)
    let ship = Aggregator(initial: Ship())
    let ships = insight.record(ship, as: "ship")
    let recorder = insight.record(quotes, as: "quotes")
    let token = ship.select(\.speed).subscribe { speed in
      if speed > 0 { quotes.send(Tick(symbol: "ACME", price: speed)) }
    }
    quotes.send(Tick(symbol: "XYZ", price: 3))
    time.advance(by: .seconds(2))
    for speed in [7.0, 8] { ship.send(.speed(speed)) }
    quotes.send(Tick(symbol: "XYZ", price: 4))
    quotes.send(Tick(symbol: "ACME", name: "Acme"))

    let why = recorder.why(\.price, of: "ACME")
    #expect(
      "\(why)" == """
        quotes["ACME"].price = 8.0, was 7.0
          by quotes #3 ["ACME"] Tick(symbol: "ACME", price: Optional(8.0), name: nil)  2.000 s
          by ship #2 .speed(8.0)                                                       2.000 s  .speed 7.0 → 8.0
          cause unknown: it came from outside, or on a way that carries no causes
        """
    )
    #expect(
      why.links.map(\.id) == [
        Cause(lane: recorder.recording.lane, number: 3), Cause(lane: ships.recording.lane, number: 2),
      ]
    )
    #expect(why.links[0].changes == [Timeline.Change(path: "[\"ACME\"].price", old: "7.0", new: "8.0")])
    #expect(recorder.why(\.name, of: "ACME").links.map(\.number) == [5])
    #expect(recorder.why(\.name, of: "ACME").value == "\"Acme\"")
    #expect(
      recorder.why(StateSelector { (quote: Quote) in quote.price > 5 }, of: "ACME").links.map(\.number) == [2, 1]
    )
    #expect(recorder.why(event: 4).links.map(\.label).first?.hasPrefix("[\"XYZ\"] Tick") == true)
    token.cancel()
  }

  @Test("REC-11: a row that no event concerns has its value, and a row that is gone has none and its reason")
  func otherRows() {
    quotes.send(Tick(symbol: "OLD", price: 1))
    let recorder = Insight(on: time).record(quotes, as: "quotes")
    #expect(recorder.why(\.price, of: "OLD").value == "1.0")
    #expect(recorder.why(\.price, of: "OLD").end == .unchanged(since: .zero))
    #expect(recorder.why(\.price, of: "NONE").value == "nil")
    quotes.remove("OLD")
    let why = recorder.why(\.price, of: "OLD")
    #expect(why.value == "nil")
    #expect(why.links.map(\.label) == ["[\"OLD\"] removed"])
    #expect(why.links.first?.change == Timeline.Change(path: "[\"OLD\"].price", old: "1.0", new: "nil"))
    #expect(recorder.recording(of: "OLD")?.state.price == 1)
  }

  @Test("REC-11: a timeline of rows has what each step has changed in its row")
  func timeline() {
    quotes.send(Tick(symbol: "A", price: 1))
    let recorder = Insight(on: time).record(quotes, as: "quotes")
    quotes.send(Tick(symbol: "A", price: 2))
    quotes.send(Tick(symbol: "B", price: 3))
    quotes.remove("A")
    quotes.insert(["C": Quote(price: 4)])

    let timeline = recorder.recording.timeline
    #expect(timeline.lanes[0].initial.map(\.path) == ["[\"A\"].price", "[\"A\"].name"])
    let changes = timeline.occurrences.map { $0.changes.map { "\($0.path) \($0.old ?? "–") \($0.new ?? "–")" } }
    #expect(changes[0] == ["[\"A\"].price 1.0 2.0"])
    #expect(changes[1] == ["[\"B\"].price – 3.0", "[\"B\"].name – nil"])
    #expect(changes[2] == ["[\"A\"].price 2.0 –", "[\"A\"].name nil –"])
    #expect(changes[3] == ["[\"C\"].price – 4.0", "[\"C\"].name – nil"])
    #expect(timeline.occurrences[3].label == "[\"C\"] Quote(price: 4.0, name: nil) put in")
    #expect(timeline.page.contains("[\\\"A\\\"].price"))
  }
}
