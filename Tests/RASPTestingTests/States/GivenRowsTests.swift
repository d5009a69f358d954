import Aggregate
import RASPTesting
import TestSupport
import Testing

@Suite("given rows, when, then")
struct GivenRowsTests {
  private struct Tick: Sendable {
    let symbol: String
    let price: Int
  }

  private struct Quote: AggregateState, Equatable {
    struct NoPrice: Error, Equatable {
      let price: Int
    }

    var price = 0
    var count = 0

    mutating func apply(_ tick: Tick) throws(NoPrice) {
      count += 1
      guard tick.price > 0 else { throw NoPrice(price: tick.price) }
      price = tick.price
    }
  }

  private func quotes(_ rows: [String: Quote] = [:]) -> StateUnderTest<RowsUnderTest<String, Quote>> {
    given(rows: rows, by: \Tick.symbol, initial: { Quote(price: -$0.count) })
  }

  @Test("events are folded into the rows of their keys; then says exactly what they changed")
  func fold() {
    quotes(["ACME": Quote(), "B": Quote()])
      .when(Tick(symbol: "ACME", price: 1), Tick(symbol: "ACME", price: 2))
      .then {
        $0["ACME"]?.price = 2
        $0["ACME"]?.count = 2
      }
    quotes().when(Tick(symbol: "A", price: 1)).when(Tick(symbol: "B", price: 2)).expect {
      #expect($0.rows == ["A": Quote(price: 1, count: 1), "B": Quote(price: 2, count: 1)])
    }
    quotes().then()
  }

  @Test("a refused event leaves its row as it was, and makes none")
  func refused() {
    quotes(["A": Quote()])
      .when(Tick(symbol: "A", price: 0), Tick(symbol: "B", price: -1), Tick(symbol: "A", price: 3))
      .then { $0["A"] = Quote(price: 3, count: 1) }
      .rejected { #expect($0.map(\.price) == [0, -1]) }
    let reported = reports { quotes().when(Tick(symbol: "B", price: -1)).then { $0["B"] = Quote() } }
    #expect(reported.first?.contains("refused: NoPrice(price: -1)") == true, "\(reported)")
  }

  @Test("a row begins with the state that is made of its key")
  func initial() {
    let made = given(by: \Tick.symbol, initial: { Quote(count: $0.count) }).when(Tick(symbol: "ABC", price: 1))
    made.then { $0["ABC"] = Quote(price: 1, count: 4) }
  }

  @Test("a difference is told row by row and field by field, where the expectation is")
  func differences() {
    let line = #_sourceLocation.line + 4
    let reported = reportsWithLocations {
      quotes(["A": Quote()])
        .when(Tick(symbol: "A", price: 1), Tick(symbol: "B", price: 2))
        .then { $0["A"]?.price = 5 }
    }
    #expect(reported.map(\.sourceLocation.line) == [line])
    let text = reported.first?.text ?? ""
    #expect(text.contains(#"["A"].price: expected 5, observed 1"#), "\(text)")
    #expect(text.contains(#"["A"].count: expected 0, observed 1"#), "\(text)")
    #expect(text.contains(#"["B"]: expected nothing, observed"#), "\(text)")
    #expect(text.split(separator: "\n").count == 4, "\(text)")
  }

  private struct Gauge: AggregateState, Equatable {
    var level = Double.nan
    var count = 0
    mutating func apply(_ level: Double) {
      self.level = level
      count += 1
    }
  }

  @Test("rows that hold NaN are as expected if their text is")
  func notANumber() {
    let gauges = given(rows: ["a": Gauge()], by: { (_: Double) in "a" }, initial: { _ in Gauge() })
    gauges.when(.nan).then { $0["a"]?.count = 1 }
    #expect(reports { gauges.when(.nan).then() }.count == 1)
  }
}
