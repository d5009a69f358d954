import RASPInsight

/// What the playground can show: its name, its part of the help, and how to run it.
struct Scenario: Sendable {
  let name: String
  /// What stands behind the name in the usage: `FILE`.
  var parameters = ""
  let options: [CommandOption]
  /// What it does, in lines for the help.
  let help: String
  /// Makes a run of what the arguments ask for. It takes what it understands away from them.
  let read: @Sendable (inout Arguments) throws(RunFailure) -> any ScenarioRun
}

/// One run of a scenario, as a command line asks for it.
protocol ScenarioRun: Sendable {
  /// Runs to the end.
  func run(output: Output) async throws(RunFailure)
}

extension [Scenario] {
  /// Reads the arguments after the program's name; `nil` stands for `--help`. Without a name it is the first scenario.
  func run(for texts: [String]) throws(RunFailure) -> (any ScenarioRun)? {
    guard var arguments = try Arguments.parse(texts, knowing: flatMap(\.options)) else { return nil }
    let name = arguments.next() ?? first?.name ?? ""
    guard let scenario = first(where: { $0.name == name }) else {
      throw .usage("unknown scenario \(name.quoted), there are \(map(\.name).listed)")
    }
    for option in arguments.values.keys.sorted() where !scenario.options.contains(where: { $0.name == option }) {
      let others = filter { $0.options.contains { $0.name == option } }.map(\.name)
      throw .usage("\(option) belongs to \(others.listed), not to \(name)")
    }
    let run = try scenario.read(&arguments)
    if let surplus = arguments.next() { throw .usage("unexpected argument \(surplus.quoted)") }
    return run
  }

  /// The text of `--help`, put together from what the scenarios say about themselves.
  var help: String {
    """
    Playground shows RASP at work on real input: events from many sources are merged, folded into one state,
    and read through selections that speak only when their field changes.

    USAGE
    \(map { lineUsage($0) }.joined(separator: "\n"))

    SCENARIOS
    \(map { "  " + $0.name.fitted(to: 10) + $0.help.hanging(by: 12) }.joined(separator: "\n"))

    OPTIONS
    \(options.map { "  " + $0.usage.fitted(to: 16) + $0.help }.joined(separator: "\n"))
      --help, -h      Show this.
      ^C ends a run early; the summary is still written. A second ^C ends it at once.

    OUTPUT
      On a terminal a picture that is drawn in place, otherwise a line per field change; at the end a summary:
      events per source, snapshots of the state, changes per field. With --json each is an object on a line of
      its own; what is not known is null, and the last line has the member "summary".
    """
  }

  /// Each option once.
  private var options: [CommandOption] {
    flatMap(\.options).reduce(into: []) { options, option in
      if !options.contains(where: { $0.name == option.name }) { options.append(option) }
    }
  }

  /// `swift run Playground geo FILE [--seconds N]`
  private func lineUsage(_ scenario: Scenario) -> String {
    let name = scenario.name == first?.name ? "[\(scenario.name)]" : scenario.name
    let words = [name, scenario.parameters] + scenario.options.map { "[\($0.usage)]" }
    return "  swift run Playground " + words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}
