import Aggregate
import RASPInsight
import RASPJournal
import RASPKeyed
import Streams

extension Scenario {
  static let ticker = Scenario(
    name: "ticker",
    options: [.seconds, .json, .why, .journal],
    help: """
      A simulated market of 10,000 symbols, each a row with a state of its own, and the ranking of
      the day. On a terminal letters filter, backspace takes them back, tab ranks by price or change,
      space turns the order, and escape quits; elsewhere it ends after 10 seconds. --why takes the
      price of a symbol, as in BAA.price.
      """
  ) { arguments throws(RunFailure) in
    let options = try Options(arguments, explaining: nil)
    if let name = options.explainedField { _ = try ExplainedField<RecordedRows<String, Quote>>.ofQuote(name) }
    return TickerScenario(options: options)
  }
}

extension ExplainedField where State == RecordedRows<String, Quote> {
  /// What `--why` explains: the price of a symbol, as in `BAA.price`.
  ///
  /// - Errors: a symbol or a field that is not there is refused.
  static func ofQuote(_ name: String) throws(RunFailure) -> Self {
    let parts = name.split(separator: ".", maxSplits: 1).map { String($0) }
    guard parts.count == 2, parts[1] == "price", Market.symbols.contains(parts[0]) else {
      throw .usage("--why takes the price of a symbol, as in \(Market.symbols[1]).price, not \(name.quoted)")
    }
    return Self(name, of: parts[0], \Quote.price)
  }
}

/// A market of 10,000 symbols: each is a row with a state of its own, and the first rows of a ranking are shown.
struct TickerScenario: ScenarioRun {
  static let defaultDuration: Duration = .seconds(10)

  let options: Options
  /// Where time comes from.
  var scheduler: any Scheduler = .continuous
  /// Where prices come from.
  var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  /// The user's wish to end the run.
  var interrupts: Observable<Void, Never> = .interrupts
  /// What the user presses while the picture is shown.
  var keys: Observable<TerminalKey, Never> = .keys

  func run(output: Output) async throws(RunFailure) {
    let style = OutputStyle(options, for: output)
    let journal = try RunJournal(options, startingWith: RecordedRows<String, Quote>())

    // The rows, loaded at once: those of the opening, or of the run before. Nothing feeds them yet.
    let opening = Market(using: generator)
    let quotes = try journal.make { (journal) throws(JournalError) in
      try KeyedAggregator(continuing: journal, by: \Tick.symbol, initial: { Quote(symbol: $0, open: 1) })
    } beginning: {
      KeyedAggregator(by: \Tick.symbol, initial: { Quote(symbol: $0, open: 1) })
    }
    let market = journal.isContinued ? opening.resumed(from: quotes.rows()) : opening
    if !journal.isContinued { quotes.insert(market.openingQuotes) }
    let fields = try options.explainedField.map { name throws(RunFailure) in try [ExplainedField.ofQuote(name)] } ?? []
    let insight = Insight(on: scheduler)
    let recorder = fields.isEmpty ? nil : insight.record(quotes, as: "ticker", last: 100_000)

    // The screen: the keys change the query, and the newest query decides which ranking is followed.
    let screen = Aggregator(initial: TickerScreen())
    let rankings = screen.select(\.query).observable.map { query in
      quotes.ranked(by: { query.value(of: $0) }, query.order, first: TickerScreen.rowCount).observable
        .map { rows in rows.filter { !$0.value.isNaN }.map(\.state) }
    }

    // Show: the presenter counts what comes in, and draws the screen or writes what is reported once a second.
    let presenter = Presenter(
      Report(title: "", events: ["tick"], fields: ["ranking"]),
      style: style,
      output: output,
      scheduler: scheduler
    ) { _, size in
      screen.snapshot.lines(size)
    }
    presenter.follow(
      events: quotes.events.map { _ in "tick" },
      snapshots: quotes.events,
      changes: screen.select(\.report).observable.map(FieldChange.ranking)
    )
    screen.replace(
      sources: options.ends(after: style == .picture ? nil : Self.defaultDuration, on: scheduler, or: interrupts)
        .map { TickerScreen.Event.end },
      rankings.switchToLatest().map(TickerScreen.Event.ranking),
      eventsPerSecond(of: quotes).map { TickerScreen.Event.second(events: $0) }
    )
    if style == .picture { screen.add(keys.map(TickerScreen.Event.key)) }

    // Feed: all ticks of a moment are sent together.
    let trading = Observable<Int, Never>.interval(Market.period, on: scheduler)
      .scan(into: market) { market, _ in market.trade() }
      .subscribe { quotes.send(contentsOf: $0.ticks) }

    // Wait: a selection is also a sequence.
    for await hasEnded in screen.select(\.hasEnded).values where hasEnded { break }

    // Close: no source sends any more, and what is there to show is shown. The screen ends first, because the second
    // that has begun is not reported.
    trading.cancel()
    screen.finish()
    quotes.finish()
    let report = await presenter.finish()
    let explanation = options.explain(recorder, by: fields)
    let failure = await journal.close()
    let last = TickerScreen.Report(
      quotes: Array(screen.snapshot.quotes.prefix(TickerScreen.reportedCount)),
      eventsPerSecond: screen.snapshot.report?.eventsPerSecond ?? 0
    )
    presenter.summarize([.ranking(last)], report, explanation)
    if let failure { throw failure }
  }

  /// How many events have been folded in each second.
  private func eventsPerSecond(of quotes: KeyedAggregator<String, Quote>) -> Observable<Int, Never> {
    quotes.events.scan(into: 0) { count, _ in count += 1 }
      .sample(every: .seconds(1), on: scheduler)
      .scan(into: (total: 0, difference: 0)) { sum, total in sum = (total, total - sum.total) }
      .map(\.difference)
  }
}
