/// The program: reads the command line, runs a scenario, and turns a failure into an exit status.
@main
enum Program {
  /// What there is to show, the first one without being named. A new scenario is a folder and a line here.
  static let shown: [Scenario] = [
    .system,
    .geo,
    .ticker,
    .commands,
    .services,
  ]

  static let scenarios = shown + [.inspect(shown), .journal(shown), .files]

  static func main() async {
    do throws(RunFailure) {
      try StandardStreams.prepare()
      Interrupts.watch()
      guard let run = try scenarios.run(for: Array(CommandLine.arguments.dropFirst())) else {
        Output.standard.line(Help(scenarios: scenarios).text)
        return
      }
      try await run.run(output: .standard)
    } catch {
      Output.error.line("Playground: \(error.message)")
      error.status.exit()
    }
  }
}
