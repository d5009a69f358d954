import RASPInsight
import RASPJournal

/// Reads the file of a recorded run.
typealias RecordingReader = @Sendable (_ path: String) throws(JournalError) -> Timeline

/// Writes a journal as lines of JSON: all its events, or the state at a place.
///
/// - Returns: `false` if it has another kind of events; nothing is written then.
typealias JournalPrinter =
  @Sendable (_ path: String, _ place: JournalPosition?, _ output: Output) async throws(RunFailure) -> Bool

/// What the playground can show: its name, its part of the help, and how to run it.
struct Scenario: Sendable {
  let name: String
  /// What stands behind the name in the usage: `FILE`.
  var parameters = ""
  let options: [CommandOption]
  /// What it does, in lines for the help.
  let help: String
  /// The members of its lines of JSON, for the help.
  var jsonHelp = ""
  /// What else there is to know, for the end of the help: a title and lines.
  var notes: (title: String, text: String)?
  /// Reads what `--record` has written, if the scenario has that option.
  var recordingReader: RecordingReader?
  /// Writes what `--journal` has kept, if the scenario has that option.
  var journalPrinter: JournalPrinter?
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
    for option in arguments.names where !scenario.options.contains(where: { $0.name == option }) {
      let others = filter { $0.options.contains { $0.name == option } }.map(\.name)
      throw .usage("\(option) belongs to \(others.listed), not to \(name)")
    }
    let run = try scenario.read(&arguments)
    if let surplus = arguments.next() { throw .usage("unexpected argument \(surplus.quoted)") }
    return run
  }
}
