import Aggregate
import RASPInsight
import RASPJournal

extension Scenario {
  static let services = Scenario(
    name: "services",
    options: [.seconds, .json, .record, .why],
    help: """
      A small cluster of services: who is there, what there is to read, a ticking stream of news,
      and errors that become actions. Prints its tree and what each part does. Ends after 3
      seconds. --record writes what the actions have told, --why leads on to the actions.
      """,
    jsonHelp: """
      no changes: objects with the members "kind" (cluster, state, action, service, diagnostic,
      ended) and "text"
      """,
    recordingReader: { path throws(JournalError) in try Recording<NewsState>(contentsOf: path).timeline }
  ) { arguments throws(RunFailure) in
    ServicesScenario(options: try Options(arguments, explaining: NewsState.explainedFields.map(\.name)))
  }
}
