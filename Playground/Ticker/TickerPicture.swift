import RASPInsight

/// How the screen of the ticker looks on a terminal.
extension TickerScreen {
  static let help = [
    "A to Z      show only symbols that begin with these letters",
    "backspace   take the last letter back",
    "tab         rank by change, or by price",
    "space       greatest first, or least first",
    "+ -         trade twice as often, or half as often",
    "?           show or hide this help",
    "escape      hide the help, show all symbols, or quit",
    "^C, ^D      quit",
  ]

  /// A column of the ranking.
  private struct Column {
    let title: String
    let width: Int
    let text: (Quote) -> String
  }

  /// The lines of the picture: as many rows of the ranking as there is space for, and of their columns those that fit.
  func lines(_ size: TerminalSize) -> [String] {
    let rate = report.map { ", \($0.eventsPerSecond) events a second" } ?? ""
    let title = "\(Market.symbolCount) symbols\(rate) (? for help)"
    // Empty lines come last.
    let space = size.rows >= 10 ? [""] : []
    let head = [title] + space
    let foot = space + [footer]
    let rest = max(0, size.rows - head.count - foot.count)
    let body = isHelpShown ? Self.help.map { "  " + $0 } : ranking(size.columns)
    let rows = min(rest, 1 + Self.rowCount)
    let missing = Array(repeating: "", count: max(0, rows - body.count))
    return (head + body.prefix(rows) + missing + foot).prefix(size.rows).map { $0.clipped(to: size.columns) }
  }

  /// The header, and the rows below it.
  private func ranking(_ width: Int) -> [String] {
    let columns = columns(width)
    let header = "     symbol".padded(to: 11)
    let rows = quotes.enumerated().map { index, quote in
      "\(index + 1)".leftPadded(to: 3) + "  " + quote.symbol.padded(to: 6)
        + columns.map { $0.text(quote).leftPadded(to: $0.width) }.joined()
    }
    return [header + columns.map { $0.title.leftPadded(to: $0.width) }.joined()] + rows
  }

  /// The columns behind the symbol. In little space there is the one by which rows are ranked.
  private func columns(_ width: Int) -> [Column] {
    let isNarrow = width < 34
    let price = Column(title: "price", width: isNarrow ? 9 : 12) { $0.price.formatted(decimals: 2) }
    let change = Column(title: "change", width: isNarrow ? 9 : 11) { $0.signedChange }
    let count = Column(title: "count", width: 10) { String($0.count) }
    if isNarrow { return [query.column == .price ? price : change] }
    return width < 44 ? [price, change] : [price, change, count]
  }

  private var footer: String {
    let column = query.column == .change ? "change" : "price"
    let order = query.order == .descending ? "greatest" : "least"
    let symbols = query.filter.isEmpty ? "all symbols" : "symbols with \(query.filter)…"
    return "\(symbols); by \(column), \(order) first"
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
      level: nil,
      members: [
        "eventsPerSecond": report.map { .integer(Int64($0.eventsPerSecond)) } ?? .null,
        "rows": report.map { .array($0.quotes.map(\.json)) } ?? .null,
      ]
    )
  }
}

extension Quote {
  /// `+1.50 %`
  fileprivate var signedChange: String { (change < 0 ? "" : "+") + change.formatted(decimals: 2) + " %" }

  fileprivate var json: JSON {
    .object([
      "symbol": .string(symbol), "price": .number(price, decimals: 2), "change": .number(change, decimals: 2),
      "count": .integer(Int64(count)),
    ])
  }
}
