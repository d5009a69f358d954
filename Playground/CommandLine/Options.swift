/// What the command line asks for.
struct Options: Equatable, Sendable {
  var scenario: Scenario = .system
  /// For how long to run; `nil` until the input ends.
  var duration: Duration?
  /// Whether to write JSON, one object a line.
  var json = false

  /// The longest that `--seconds` takes: a year.
  private static let longestRun = 366.0 * 86_400

  /// Reads the arguments after the program's name; `nil` stands for `--help`.
  static func parse(_ arguments: [String]) throws(RunFailure) -> Options? {
    var options = Options()
    var positionals: [String] = []
    var realTime = false
    var rest = arguments[...]

    while let argument = rest.popFirst() {
      let (name, attached) = split(argument)
      switch name {
      case "--help", "-h":
        return nil
      case "--json" where attached == nil:
        options.json = true
      case "--realtime" where attached == nil:
        realTime = true
      case "--seconds":
        guard let value = attached ?? rest.popFirst() else {
          throw usage("--seconds needs a number, as in --seconds 30")
        }
        options.duration = try duration(value)
      case "--":
        positionals += rest
        rest = []
      case _ where argument.hasPrefix("-") && argument != "-":
        throw usage("unknown option \(quoted(argument))")
      default:
        positionals.append(argument)
      }
    }

    options.scenario = try Scenario(positionals, realTime: realTime)
    if options.json, options.scenario == .services {
      throw usage("--json belongs to the scenarios system, geo, ticker and commands")
    }
    return options
  }

  /// Takes `--name=value` apart; anything else is a name.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  private static func duration(_ text: String) throws(RunFailure) -> Duration {
    guard let seconds = Double(text), seconds > 0, seconds <= longestRun else {
      throw usage("--seconds takes a number above 0 and up to a year, not \(quoted(text))")
    }
    return .seconds(seconds)
  }

  /// A mistake on the command line, and where to read how to do it.
  static func usage(_ message: String) -> RunFailure {
    RunFailure(.usage, "\(message); see `swift run Playground --help`")
  }

  /// What the user typed, on one line and not too long to be read.
  static func quoted(_ text: String) -> String {
    let printable = text.unicodeScalars.prefix(80).map {
      $0.properties.generalCategory == .control ? "?" : $0
    }
    return "“" + String(String.UnicodeScalarView(printable)) + "”"
  }
}
