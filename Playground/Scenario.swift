/// What the playground can show. A new scenario is a case here, a folder beside `System` and `Geo`, and a line in
/// `Help.text`.
enum Scenario: Equatable, Sendable {
  /// This machine's own sensors.
  case system
  /// A receiver's sentences, from the file at `path`, or from standard input if that is `-`.
  case geo(path: String, realTime: Bool)
  /// A library whose books come from a slow store.
  case commands
  /// A small cluster of services.
  case services
  /// A simulated market of many symbols.
  case ticker

  /// The scenario that the arguments without the options name.
  init(_ arguments: [String], realTime: Bool) throws(RunFailure) {
    var arguments = arguments[...]
    let name = arguments.popFirst() ?? "system"
    switch name {
    case "system", "services", "commands", "ticker":
      guard !realTime else { throw Options.usage("--realtime belongs to the scenario geo") }
      self = name == "system" ? .system : name == "services" ? .services : name == "commands" ? .commands : .ticker
    case "geo":
      guard let path = arguments.popFirst(), !path.isEmpty else {
        throw Options.usage("geo needs a file, a serial device, or - for standard input")
      }
      self = .geo(path: path, realTime: realTime)
    default:
      throw Options.usage(
        "unknown scenario \(Options.quoted(name)), there are system, geo, ticker, services and commands"
      )
    }
    if let surplus = arguments.first { throw Options.usage("unexpected argument \(Options.quoted(surplus))") }
  }

  /// Runs the scenario to its end.
  func run(_ options: Options, output: Output) async throws(RunFailure) {
    switch self {
    case .system:
      await SystemScenario(options: options).run(output: output)
    case .geo(let path, let realTime):
      try await GeoScenario(path: path, realTime: realTime, options: options).run(output: output)
    case .commands:
      await CommandsScenario(options: options).run(output: output)
    case .services:
      try await ServicesScenario(options: options).run(output: output)
    case .ticker:
      await TickerScenario(options: options).run(output: output)
    }
  }
}
