import RASPTesting
import TestSupport
import Testing

@testable import Playground

@Suite("The market and its screen")
struct TickerScreenTests {
  private func screen(after keys: [TerminalKey]) -> TickerScreen {
    keys.reduce(into: TickerScreen()) { $0.apply(.key($1)) }
  }

  @Test("the market has symbols that differ, and trades the same with the same numbers")
  func market() {
    var (first, second) = (Market(using: SplitMix(seed: 1)), Market(using: SplitMix(seed: 1)))
    #expect(Set(first.symbols).count == 10_000)
    #expect(first.openingQuotes.count == 10_000)
    for _ in 1...100 {
      first.trade()
      second.trade()
      #expect(first.ticks.count == Market.burst)
      #expect(first.ticks == second.ticks)
    }
    #expect(first.prices.allSatisfy { $0 > 0 && $0.isFinite })
  }

  @Test("a row knows its change since the market opened")
  func quote() {
    given(Quote(symbol: "A", open: 50)).when(Tick(symbol: "A", price: 60), Tick(symbol: "A", price: 55)).expect {
      #expect($0.price == 55)
      #expect($0.count == 2)
      #expect($0.change.isClose(to: 10))
    }
  }

  @Test("letters filter, and backspace and escape take them back")
  func filter() {
    #expect(screen(after: [.character("a"), .character("C")]).query.filter == "AC")
    #expect(screen(after: "symbols".map { .character($0) }).query.filter == "SYM")
    #expect(screen(after: [.character("a"), .character("c"), .backspace]).query.filter == "A")
    #expect(screen(after: [.backspace, .character("1")]).query == TickerQuery())
    #expect(screen(after: [.character("a"), .escape]).query.filter == "")
    let query = screen(after: [.character("a"), .character("c")]).query
    #expect(query.value(of: Quote(symbol: "ACX", open: 1)) == 0)
    #expect(query.value(of: Quote(symbol: "AXC", open: 1)).isNaN)
  }

  @Test("tab changes the column, space the order")
  func sort() {
    #expect(screen(after: [.tab, .character(" ")]).query == TickerQuery(column: .price, order: .ascending))
    #expect(screen(after: [.tab, .tab, .character(" "), .character(" ")]).query == TickerQuery())
    #expect(screen(after: [.tab]).query.value(of: Quote(symbol: "A", open: 7)) == 7)
  }

  @Test("escape shows all, then quits; ^D quits at once")
  func quit() {
    #expect(screen(after: [.character("a"), .escape]).query.filter == "")
    #expect(!screen(after: [.character("a"), .escape]).hasEnded)
    #expect(screen(after: [.escape]).hasEnded && screen(after: [.end]).hasEnded)
  }

  /// A screen of a full ranking.
  private var fullScreen: TickerScreen {
    var screen = TickerScreen()
    screen.apply(.ranking((0..<TickerScreen.rowCount).map { Quote(symbol: "S\($0 + 10)", open: Double($0) + 1) }))
    screen.apply(.second(events: 42))
    return screen
  }

  @Test(
    "the picture fills every terminal with the ranking, and its last line tells the query",
    arguments: [(20, 5), (33, 9), (34, 10), (43, 24), (44, 24), (80, 24), (200, 50), (1, 1), (0, 0)]
  )
  func sizes(columns: Int, rows: Int) {
    let lines = fullScreen.lines(TerminalSize(columns: columns, rows: rows))
    #expect(lines.count == min(rows, TickerScreen.rowCount + 3) && lines.allSatisfy { $0.columns <= columns })
    guard rows >= 5 else { return }
    #expect(lines.first?.hasPrefix("10000 symbols") == true && lines.last?.hasPrefix("all symbols") == true)
    // Without the title, the header and the query.
    #expect(lines.count { $0.contains("S") } == lines.count - 3)
  }

  @Test("a picture has the columns for which there is space")
  func columns() {
    func header(_ columns: Int) -> String { fullScreen.lines(TerminalSize(columns: columns, rows: 5))[1] }
    #expect(header(20) == "     symbol   change" && header(40) == "     symbol   change     price    count")
    #expect(fullScreen.lines(TerminalSize(columns: 20, rows: 5))[2] == "  1  S10     +0.00 %")
    #expect(fullScreen.lines(TerminalSize(columns: 100, rows: 24))[0].contains("42 events a second"))
  }

  @Test("keys are told apart, and what a key sends as a sequence is none of them")
  func keys() {
    let bytes: [UInt8] = [0x61, 0x20, 0x09, 0x7F, 0x08, 0x04, 0xC3, 0xA4, 0x00, 0x0A]
    #expect(
      TerminalKey.keys(in: bytes) == [.character("a"), .character(" "), .tab, .backspace, .backspace, .end]
    )
    #expect(TerminalKey.keys(in: [0x1B]) == [.escape])
    #expect(TerminalKey.keys(in: [0x1B, 0x5B, 0x41, 0x62]) == [.character("b")])
    #expect(TerminalKey.keys(in: [0x1B, 0x5B, 0x33, 0x7E, 0x1B, 0x4F, 0x50, 0x1B]) == [.escape])
    #expect(TerminalKey.keys(in: [0x1B, 0x5B]) == [])
    #expect(TerminalKey.keys(in: []) == [])
  }
}
