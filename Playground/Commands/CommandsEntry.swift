import Aggregate
import RASPInsight
import RASPJournal

extension Scenario {
  static let commands = Scenario(
    name: "commands",
    options: [.seconds, .json, .record, .why],
    help: """
      A library whose books come from a slow store: commands are executed, handlers publish events,
      middleware logs and retries, reactions show, a fact is posted, and the events are folded into
      one state. Ends by itself in less than a second. --record writes what the commands have told,
      --why leads on to the commands.
      """,
    jsonHelp: """
      no changes: objects with the members "kind" (command, event, retry, reaction, state, error,
      ended) and "text"
      """,
    recordingReader: { path throws(JournalError) in try Recording<LibraryState>(contentsOf: path).timeline }
  ) { arguments throws(RunFailure) in
    CommandsScenario(options: try Options(arguments, explaining: LibraryState.explainedFields.map(\.name)))
  }
}
