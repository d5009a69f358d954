import Testing

@testable import Playground

@Suite("The command line")
struct OptionsTests {
  /// The run that a command line asks for.
  private func run<Run: ScenarioRun>(_ arguments: String..., as type: Run.Type = Run.self) throws -> Run {
    try #require(try Program.scenarios.run(for: arguments) as? Run)
  }

  @Test("without arguments it is the system's sensors")
  func nothing() throws {
    #expect(try run(as: SystemScenario.self).options == Options())
    #expect(try run("system", as: SystemScenario.self).options == Options())
  }

  @Test("options may stand before, after and between arguments")
  func anyOrder() throws {
    let first: GeoScenario = try run("geo", "f", "--realtime", "--json", "--seconds", "2.5")
    let second: GeoScenario = try run("--json", "geo", "--seconds=2.5", "--realtime", "f")
    for run in [first, second] {
      #expect(run.path == "f" && run.realTime)
      #expect(run.options == Options(duration: .seconds(2.5), json: true))
    }
  }

  @Test("the other scenarios are there by their names")
  func names() throws {
    _ = try run("commands", as: CommandsScenario.self)
    _ = try run("services", "--json", as: ServicesScenario.self)
    #expect(try run("ticker", "--seconds", "3", as: TickerScenario.self).options.duration == .seconds(3))
  }

  @Test("a dash is standard input")
  func dashes() throws {
    #expect(try run("geo", "-", as: GeoScenario.self).path == "-")
  }

  @Test("no seconds are no end, and an option that is given twice counts as it was given last")
  func noEnd() throws {
    #expect(try run("--seconds", "0", as: SystemScenario.self).options.time(.seconds(30)) == nil)
    #expect(try run(as: SystemScenario.self).options.time(.seconds(30)) == .seconds(30))
    #expect(try run("--seconds=1", "--seconds=2", as: SystemScenario.self).options.time(nil) == .seconds(2))
  }

  @Test(
    "help wins over what follows it",
    arguments: [["--help"], ["-h"], ["geo", "--help"], ["-h", "--wrong"]]
  )
  func help(arguments: [String]) throws {
    #expect(try Program.scenarios.run(for: arguments) == nil)
  }

  @Test(
    "a mistake is told in one line that names the remedy",
    arguments: [
      ["--wrong"], ["-x"], ["--"] + ["nowhere"], ["--json=yes"], ["--realtime=1"], ["geo"], ["geo", ""],
      ["geo", "a", "b"], ["system", "a"], ["system", "--realtime"], ["commands", "--realtime"], ["commands", "a"],
      ["services", "a"], ["services", "--realtime"], ["ticker", "a"],
      ["ticker", "--realtime"], ["--realtime"], ["--seconds"],
      ["--seconds", ""],
      ["", ""], ["geo\n\u{1B}[2J"], [String(repeating: "x", count: 100_000)],
    ]
  )
  func mistakes(arguments: [String]) throws {
    let failure = try #require(throws: RunFailure.self) { _ = try Program.scenarios.run(for: arguments) }
    #expect(failure.status == .usage)
    #expect(failure.message.contains("--help"))
    #expect(failure.message.count < 220)
    #expect(failure.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }

  @Test(
    "an impossible time is refused",
    arguments: [
      "1e300", "-1", "nan", "inf", "-inf", "ten", "99999999999999999999", "--json", "1,5",
    ]
  )
  func impossibleSeconds(value: String) throws {
    let failure = try #require(throws: RunFailure.self) {
      _ = try Program.scenarios.run(for: ["--seconds", value])
    }
    #expect(failure.status == .usage)
    #expect(failure.message.contains("--seconds"))
  }

  @Test("an option of another scenario is refused with the names of those that have it")
  func otherScenario() throws {
    let failure = try #require(throws: RunFailure.self) {
      _ = try Program.scenarios.run(for: ["ticker", "--realtime"])
    }
    #expect(failure.message.contains("--realtime belongs to geo, not to ticker"))
  }

  @Test("the help names every option and scenario, in lines of no more than 110 columns")
  func helpText() {
    let text = Program.scenarios.help
    let words = ["--help"] + Program.scenarios.map(\.name) + Program.scenarios.flatMap(\.options).map(\.name)
    for word in words { #expect(text.contains(word)) }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 })
    #expect(text.contains("  --seconds N     End after") && text.contains("  --help, -h      Show this."))
  }
}
