/// The program: reads the command line, runs a scenario, and turns a failure into an exit status.
@main
enum Program {
  static func main() async {
    ignoreClosedPipes()
    do throws(RunFailure) {
      guard let options = try Options.parse(Array(CommandLine.arguments.dropFirst())) else {
        Output.standard.line(Help.text)
        return
      }
      try await options.scenario.run(options, output: .standard)
    } catch {
      Output.error.line("Playground: \(error.message)")
      error.status.exit()
    }
  }
}
