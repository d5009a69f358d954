/// The program: reads the command line, runs a scenario, and turns a failure into an exit status.
@main
enum Program {
  /// What there is to show, the first one without being named. A new scenario is a folder and a line here.
  static let scenarios: [Scenario] = [.system, .geo, .ticker, .commands, .services]

  static func main() async {
    do throws(RunFailure) {
      try Output.prepare()
      Interrupts.watch()
      guard let run = try scenarios.run(for: Array(CommandLine.arguments.dropFirst())) else {
        return Output.standard.line(scenarios.help)
      }
      try await run.run(output: .standard)
      // The terminal is put back, also if a key was being handled while the run ended.
      ExitStatus.success.exit()
    } catch {
      Output.error.line("Playground: \(error.message)")
      error.status.exit()
    }
  }
}
