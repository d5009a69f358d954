import Aggregate
import RASPInsight
import RASPKeyed

/// Which rows of the ranking are shown, and in which order.
struct TickerQuery: Equatable, Sendable {
  enum Column: String, Equatable, Sendable {
    case change, price
  }

  var column: Column = .change
  var order: RankingOrder = .descending
  /// The letters with which a symbol begins.
  var filter = ""

  /// The value by which a row is ranked. A value that is not a number comes last in any order, so a row that is
  /// filtered out does.
  func value(of quote: Quote) -> Double {
    guard quote.symbol.hasPrefix(filter) else { return .nan }
    return column == .change ? quote.change : quote.price
  }
}

/// What is seen of the market: a state by itself, fed by the keys and by the ranking that they ask for.
struct TickerScreen: AggregateState {
  enum Event: Sendable {
    case key(TerminalKey)
    /// The first rows of the ranking have changed.
    case ranking([Quote])
    /// So many events have been folded since the last second.
    case second(events: Int)
    /// The time is up, or the user has seen enough.
    case end
  }

  /// What is reported once a second.
  struct Report: Equatable, Sendable {
    let quotes: [Quote]
    let eventsPerSecond: Int
  }

  /// How many rows are followed, which fill a terminal of 50 lines.
  static let rowCount = 45
  /// How many rows are reported once a second.
  static let reportedCount = 16

  private(set) var query = TickerQuery()
  private(set) var quotes: [Quote] = []
  private(set) var report: Report?
  private(set) var hasEnded = false

  mutating func apply(_ event: Event) {
    switch event {
    case .key(let key): press(key)
    case .ranking(let quotes): self.quotes = quotes
    case .second(let events):
      report = Report(quotes: Array(quotes.prefix(Self.reportedCount)), eventsPerSecond: events)
    case .end: hasEnded = true
    }
  }

  private mutating func press(_ key: TerminalKey) {
    switch key {
    case .character(" "): query.order = query.order == .descending ? .ascending : .descending
    case .character(let letter) where letter.isLetter:
      if query.filter.count < 3 { query.filter += letter.uppercased() }
    case .character: break
    case .tab: query.column = query.column == .change ? .price : .change
    case .backspace: query.filter = String(query.filter.dropLast())
    case .escape:
      if query.filter.isEmpty { hasEnded = true } else { query.filter = "" }
    case .end: hasEnded = true
    }
  }
}

/// How the screen looks on a terminal.
extension TickerScreen {
  /// The columns of the ranking behind the symbol, the most important one first.
  private static let columns: [(title: String, width: Int, text: @Sendable (Quote) -> String)] = [
    ("change", 9, { $0.signedChange }),
    ("price", 10, { $0.price.formatted(decimals: 2) }),
    ("count", 9, { String($0.count) }),
  ]

  /// The lines of the picture: as many rows of the ranking as there is space for, and of their columns those that fit.
  func lines(_ size: TerminalSize) -> [String] {
    let rate = report.map { ", \($0.eventsPerSecond) events a second" } ?? ""
    let symbols = query.filter.isEmpty ? "all symbols" : "symbols with \(query.filter)…"
    let order = query.order == .descending ? "greatest" : "least"
    let head = ["\(Market.symbolCount) symbols\(rate)"]
    let foot = ["\(symbols); \(order) \(query.column) first"]
    let body = ranking(size.columns).prefix(max(0, size.rows - 2))
    return (head + body + foot).prefix(size.rows).map { $0.cut(to: size.columns) }
  }

  /// The header, and the rows below it.
  private func ranking(_ width: Int) -> [String] {
    var rest = width - 11
    let columns = Self.columns.prefix { column in
      rest -= column.width
      return rest >= 0
    }
    let rows = quotes.enumerated().map { index, quote in
      "\(index + 1)".rightAligned(to: 3) + "  " + quote.symbol.fitted(to: 6)
        + columns.map { $0.text(quote).rightAligned(to: $0.width) }.joined()
    }
    return ["     symbol" + columns.map { $0.title.rightAligned(to: $0.width) }.joined()] + rows
  }
}

/// How the ranking is written.
extension FieldChange {
  static func ranking(_ report: TickerScreen.Report?) -> FieldChange {
    FieldChange(
      "ranking",
      text: report.map { report in
        report.quotes.prefix(5).map { "\($0.symbol) \($0.signedChange)" }.joined(separator: "  ")
          + "  (\(report.eventsPerSecond) events a second)"
      },
      members: [
        "eventsPerSecond": report.map { .integer(Int64($0.eventsPerSecond)) } ?? .null,
        "rows": report.map { .array($0.quotes.map(\.json)) } ?? .null,
      ]
    )
  }
}
