import Testing

@testable import Playground

@Suite("The command line")
struct OptionsTests {
  @Test("without arguments it is the system's sensors")
  func nothing() throws {
    #expect(try Options.parse([]) == Options())
    #expect(try Options.parse([])?.scenario == .system)
    #expect(try Options.parse(["system"]) == Options())
  }

  @Test("options may stand before, after and between arguments")
  func anyOrder() throws {
    let expected = Options(scenario: .geo(path: "f", realTime: true), duration: .seconds(2.5), json: true)
    #expect(try Options.parse(["geo", "f", "--realtime", "--json", "--seconds", "2.5"]) == expected)
    #expect(try Options.parse(["--json", "geo", "--seconds=2.5", "--realtime", "f"]) == expected)
  }

  @Test("commands is a scenario without arguments")
  func commands() throws {
    #expect(try Options.parse(["commands"])?.scenario == .commands)
  }

  @Test("ticker is a scenario without arguments")
  func ticker() throws {
    let expected = Options(scenario: .ticker, duration: .seconds(3), json: true)
    #expect(try Options.parse(["ticker", "--seconds", "3", "--json"]) == expected)
  }

  @Test("a dash is standard input, and after -- everything is an argument")
  func dashes() throws {
    #expect(try Options.parse(["geo", "-"])?.scenario == .geo(path: "-", realTime: false))
    #expect(try Options.parse(["geo", "--", "--json"])?.scenario == .geo(path: "--json", realTime: false))
  }

  @Test(
    "help wins over what follows it",
    arguments: [["--help"], ["-h"], ["geo", "--help"], ["-h", "--wrong"]]
  )
  func help(arguments: [String]) throws {
    #expect(try Options.parse(arguments) == nil)
  }

  @Test(
    "a mistake is told in one line that names the remedy",
    arguments: [
      ["--wrong"], ["-x"], ["--"] + ["nowhere"], ["--json=yes"], ["--realtime=1"], ["geo"], ["geo", ""],
      ["geo", "a", "b"], ["system", "a"], ["system", "--realtime"], ["commands", "--realtime"], ["commands", "a"],
      ["services", "a"], ["services", "--realtime"], ["services", "--json"], ["ticker", "a"],
      ["ticker", "--realtime"], ["--realtime"], ["--seconds"],
      ["--seconds", ""],
      ["", ""], ["geo\n\u{1B}[2J"], [String(repeating: "x", count: 100_000)],
    ]
  )
  func mistakes(arguments: [String]) throws {
    let failure = try #require(throws: RunFailure.self) { _ = try Options.parse(arguments) }
    #expect(failure.status == .usage)
    #expect(failure.message.contains("--help"))
    #expect(failure.message.count < 200)
    #expect(failure.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }

  @Test(
    "an impossible time is refused",
    arguments: [
      "1e300", "-1", "0", "nan", "inf", "-inf", "ten", "1e-400", "99999999999999999999", "--json", "1,5",
    ]
  )
  func impossibleSeconds(value: String) throws {
    let failure = try #require(throws: RunFailure.self) { _ = try Options.parse(["--seconds", value]) }
    #expect(failure.status == .usage)
    #expect(failure.message.contains("--seconds"))
  }

  @Test("the help names every option, scenario and field, in lines of no more than 110 columns")
  func helpText() {
    let words =
      ["--seconds", "--realtime", "--json", "--help", "system", "geo", "ticker", "services", "commands"]
      + FieldChange.navigationFields + SystemEvent.sourceNames
    for word in words { #expect(Help.text.contains(word)) }
    #expect(Help.text.split(separator: "\n").allSatisfy { $0.count <= 110 })
  }
}
