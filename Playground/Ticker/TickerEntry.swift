import Aggregate
import RASPInsight
import RASPJournal
import RASPKeyed

extension Scenario {
  static let ticker = Scenario(
    name: "ticker",
    options: [.seconds, .json, .record, .why, .journal],
    help: """
      A simulated market of 10,000 symbols, each a row with a state of its own, and the ranking of the
      day. On a terminal letters filter, tab and space sort, ? helps, and it runs until you quit;
      elsewhere it ends after 10 seconds. --why takes a symbol and one of price, change and count, as
      in BAA.price.
      """,
    jsonHelp: """
      ranking  eventsPerSecond, rows (the first 16 by change: symbol, price, change in percent,
               count of ticks); once a second
      """,
    recordingReader: { path throws(JournalError) in
      try Recording<RecordedRows<String, Quote>>(contentsOf: path).timeline
    },
    journalPrinter: Playground.journalPrinter(startingWith: RecordedRows<String, Quote>())
  ) { arguments throws(RunFailure) in
    TickerScenario(
      options: try Options(arguments) { name throws(RunFailure) in
        _ = try ExplainedField<RecordedRows<String, Quote>>.ofQuote(name)
      }
    )
  }
}
