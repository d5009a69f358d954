/// The text of `--help`, put together from what the scenarios say about themselves.
struct Help: Sendable {
  let scenarios: [Scenario]

  var text: String {
    """
    Playground shows RASP at work on real input: events from many sources are merged, folded into one state,
    and read through selections that speak only when their field changes.

    USAGE
    \(lines(scenarios.map(usage)).indented(by: 2))

    SCENARIOS
    \(lines(scenarios.map { entry($0.name, $0.help) }).indented(by: 2))

    OPTIONS
    \(lines(optionEntries).indented(by: 2))
      ^C ends a run early, as do escape and ^D on a picture; the summary is still written. A second ^C ends it
      at once, without a summary.

    OUTPUT
      On a terminal a picture that is drawn in place, otherwise one line per field change; at the end a summary:
      events per source, snapshots of the state, changes per field.

      With --json a change is an object with the member "field" and these:
    \(lines(scenarios.filter { !$0.jsonHelp.isEmpty }.map { entry($0.name, $0.jsonHelp) }).indented(by: 4))
      What has gone stale is null. The last line is {"summary":{...}}, with the counts and the final state.

    \(scenarios.compactMap(\.notes).map { $0.title + "\n" + $0.text.indented(by: 2) + "\n\n" }.joined())EXIT STATUS
      0 success, 64 wrong usage, 66 unreadable input, 70 a mistake in this program,
      74 output that cannot be written, 130 a second ^C.
    """
  }

  /// The options, and what stands for this text, with their explanations in one column.
  private var optionEntries: [String] {
    let entries = options.map { ($0.usage, $0.help) } + [("--help, -h", "Show this.")]
    let width = 2 + (entries.map(\.0.columns).max() ?? 0)
    return entries.map { entry($0, $1, width: width) }
  }

  /// Each option once.
  private var options: [CommandOption] {
    scenarios.flatMap(\.options).reduce(into: []) { options, option in
      if !options.contains(option) { options.append(option) }
    }
  }

  /// `swift run Playground geo FILE [--seconds N]`
  private func usage(_ scenario: Scenario) -> String {
    let name = scenario.name == scenarios.first?.name ? "[\(scenario.name)]" : scenario.name
    let words = [name, scenario.parameters] + scenario.options.map { "[\($0.usage)]" }
    var lines = ["swift run Playground"]
    for word in words where !word.isEmpty {
      if lines[lines.count - 1].count + word.count > 100 { lines.append("   ") }
      lines[lines.count - 1] += " " + word
    }
    return lines.joined(separator: "\n")
  }

  /// A name, and lines behind it.
  private func entry(_ name: String, _ text: String, width: Int = 12) -> String {
    name.padded(to: width) + text.indented(by: width).drop { $0 == " " }
  }

  private func lines(_ texts: [String]) -> String { texts.joined(separator: "\n") }
}
