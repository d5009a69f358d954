import Aggregate
import RASPKeyed

/// Which rows of the ranking are shown, and in which order.
struct TickerQuery: Equatable, Sendable {
  enum Column: Equatable, Sendable {
    case change
    case price
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
  /// The time from one burst of ticks to the next.
  private(set) var period = Market.period
  private(set) var quotes: [Quote] = []
  private(set) var report: Report?
  private(set) var isHelpShown = false
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
    case .character("?"): isHelpShown.toggle()
    case .character(" "): query.order = query.order == .descending ? .ascending : .descending
    case .character(let letter) where letter.isLetter:
      if query.filter.count < 3 { query.filter += letter.uppercased() }
    case .character("+"): period = max(Market.period / 8, period / 2)
    case .character("-"): period = min(Market.period * 64, period * 2)
    case .character, .left, .right: break
    case .tab: query.column = query.column == .change ? .price : .change
    case .backspace: query.filter = String(query.filter.dropLast())
    case .escape:
      if isHelpShown { isHelpShown = false } else if query.filter.isEmpty { hasEnded = true } else { query.filter = "" }
    case .end: hasEnded = true
    }
  }
}
