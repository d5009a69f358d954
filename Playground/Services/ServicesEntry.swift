extension Scenario {
  static let services = Scenario(
    name: "services",
    options: [.seconds, .json],
    help: """
      A small cluster of services: who is there, what there is to read, a ticking stream of news,
      and errors that become actions. Prints its tree and what each part does. Ends after 3
      seconds.
      """,
    jsonHelp: """
      no changes: objects with the members "kind" (cluster, state, action, service, diagnostic,
      ended) and "text"
      """
  ) { arguments throws(RunFailure) in
    ServicesScenario(options: try Options(arguments))
  }
}
