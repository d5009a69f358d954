import RASPInsight

/// How the screen of the ticker looks on a terminal.
extension TickerScreen {
  static let help = [
    "A to Z      show only symbols that begin with these letters",
    "backspace   take the last letter back",
    "tab         rank by change, or by price",
    "space       greatest first, or least first",
    "?           show or hide this help",
    "escape      hide the help, show all symbols, or quit",
    "^C, ^D      quit",
  ]

  /// The lines of the picture, none wider than `width`, and always as many of them: each picture is drawn over the one
  /// before.
  func lines(width: Int) -> [String] {
    let rate = report.map { ", \($0.eventsPerSecond) events a second" } ?? ""
    let title = "\(Market.symbolCount) symbols\(rate) (? for help)"
    let header = "     symbol       price     change     count"
    let body = isHelpShown ? Self.help.map { "  " + $0 } : quotes.enumerated().map { line($0 + 1, $1) }
    let missing = Array(repeating: "", count: max(0, Self.rowCount - body.count))
    return ([title, "", header] + body + missing + ["", footer]).map { String($0.prefix(max(0, width))) }
  }

  private var footer: String {
    let column = query.column == .change ? "change" : "price"
    let order = query.order == .descending ? "greatest" : "least"
    return "by \(column), \(order) first; \(query.filter.isEmpty ? "all symbols" : "symbols with \(query.filter)…")"
  }

  private func line(_ rank: Int, _ quote: Quote) -> String {
    let cells = [
      (String(rank), 3), ("  " + quote.symbol, 0), (quote.price.formatted(decimals: 2), 15),
      (quote.signedChange, 11), (String(quote.count), 10),
    ]
    return cells.map { text, width in
      String(repeating: " ", count: max(0, width - text.count)) + text
    }.joined()
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
