import Aggregate
import Foundation
import RASPJournal
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("Recorded runs", .endsInTime)
struct RecordedRunTests {
  /// Replays a recording of a receiver, with these options.
  private func replay(_ name: String, options: String...) async throws -> OutputFile {
    let file = try OutputFile()
    let run = try #require(try Program.scenarios.run(for: ["geo", try recording(name)] + options))
    try await run.run(output: file.output)
    return file
  }

  private func inspect(_ path: String, options: String...) async throws -> OutputFile {
    let file = try OutputFile()
    let run = try #require(try Program.scenarios.run(for: ["inspect", path] + options))
    try await run.run(output: file.output)
    return file
  }

  @Test("a replay is recorded with the times of the receiver, and folds again to what it came to")
  func geo() async throws {
    let folder = try TemporaryFolder()
    let file = try await replay("harbour", options: "--record", folder.path("run.rasp"), "--json")
    let summary = try #require(try file.objects().last?["summary"] as? [String: Any])
    let events = try #require(summary["events"] as? [String: Int])

    let recording = try Recording<NavigationState>(contentsOf: folder.path("run.rasp"))
    #expect(recording.entries.count == events.values.reduce(0, +))
    #expect(summary["recorded"] as? Int == recording.entries.count)
    #expect(recording.entries.last?.time == .seconds(11))
    let folded = recording.entries.last.flatMap { recording.state(after: $0.number) }
    #expect(folded?.json.text == recording.state.json.text)
  }

  @Test("a recorded run is written as text, or as a page")
  func inspected() async throws {
    let folder = try TemporaryFolder()
    _ = try await replay("silent-compass", options: "--record=\(folder.path("run.rasp"))")

    let text = try await inspect(folder.path("run.rasp")).lines()
    #expect(text.contains { $0.hasPrefix("geo ") && $0.contains("-") })
    #expect(text.contains { $0.contains("geo #1 ") && $0.contains(".heading(") })

    let told = try await inspect(folder.path("run.rasp"), options: "--page", folder.path("run.html")).lines()
    #expect(told.first?.contains("run.html") == true)
    let page = try folder.text("run.html")
    #expect(page.hasPrefix("<!doctype html>") && page.contains(".time("))
  }

  @Test("an hour of a receiver stays a page that a browser can hold")
  func hour() async throws {
    let folder = try TemporaryFolder()
    let seconds = rounds(3_600)
    func digits(_ number: Int, _ count: Int = 2) -> String {
      String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }
    var bytes: [UInt8] = []
    for second in 0..<seconds {
      let time = digits(10 + second / 3_600) + digits(second / 60 % 60) + digits(second % 60)
      let minutes = "\(digits(second / 1_000)).\(digits(second % 1_000 * 10, 4))"
      let bodies = [
        "GPRMC,\(time).00,A,43\(minutes),N,007\(minutes),W,\(second % 9).5,\(second % 360).0,311223,2.0,W,A",
        "GPGSV,1,1,02,05,40,083,\(40 + second % 9),07,\(second % 90),120,30", "SDDBT,41.0,f,\(second % 50).5,M,6.8,F",
        "WIMWV,\(second % 360),R,\(second % 20).0,M,A", "WIMWV,\((second + 20) % 360),T,\(second % 18).0,M,A",
      ]
      for body in bodies + (0..<5).map({ "HCHDG,\((second + $0) % 360).0,0.5,E,2.0,W" }) { bytes += line(body) + [10] }
    }
    try Data(bytes).write(to: URL(filePath: folder.path("hour.nmea")))
    let file = try OutputFile()
    let replay = try #require(
      try Program.scenarios.run(for: ["geo", folder.path("hour.nmea"), "--record", folder.path("run.rasp"), "--json"])
    )
    try await replay.run(output: file.output)
    let told = try await inspect(folder.path("run.rasp"), options: "--page", folder.path("run.html")).lines()
    let count = try #require(told.first?.split(separator: " ").first.flatMap { Int($0) })
    // A sentence is an event, and its time may be another one.
    #expect((10 * seconds...12 * seconds).contains(count))
    let page = try folder.text("run.html")
    // The page itself, and what an event adds to it.
    #expect(page.utf8.count < 80_000 + 100 * count)
    let data = try #require(
      page.components(separatedBy: "id=\"run\">").last?.components(separatedBy: "</script>").first
    )
    let run = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    #expect((run["label"] as? [Int])?.count == count)
  }

  @Test("the last value of a field is explained by the event that has set it")
  func why() async throws {
    let lines = try await replay("silent-compass", options: "--why", "heading").lines()
    let why = try #require(lines.firstIndex { $0.hasPrefix("  why          geo.heading = ") })
    #expect(lines[why + 1].contains("by geo #") && lines[why + 1].contains("magneticCompass"))

    let json = try await replay("silent-compass", options: "--why", "heading", "--json").objects()
    let summary = try #require(json.last?["summary"] as? [String: Any])
    let explained = try #require(summary["why"] as? [String: Any])
    #expect(explained["subject"] as? String == "geo.heading")
    #expect((explained["by"] as? [[String: Any]])?.first?["lane"] as? String == "geo")
  }

  @Test("the quality of a fix is explained in plain words")
  func whyFix() async throws {
    let folder = try TemporaryFolder()
    let sentence = line("GPGGA,101500,5130.0000,N,00415.0000,E,1,08,1.0,3,M,46,M,,")
    try Data(sentence + [10]).write(to: URL(filePath: folder.path("fix.nmea")))
    let file = try OutputFile()
    let run = try #require(try Program.scenarios.run(for: ["geo", folder.path("fix.nmea"), "--why", "fix"]))
    try await run.run(output: file.output)
    let text = try file.text()
    #expect(text.contains("geo.fix = autonomous, 8 satellites") && !text.contains("FixQuality"))
    #expect(text.components(separatedBy: "autonomous, 8 satellites").count >= 4)
  }

  @Test(
    "a field that is not there is refused with the names of those that are",
    arguments: ["system", "geo f", "commands"]
  )
  func wrongField(scenario: String) throws {
    let arguments = scenario.split(separator: " ").map { String($0) } + ["--why", "hading"]
    let failure = try #require(throws: RunFailure.self) { _ = try Program.scenarios.run(for: arguments) }
    #expect(failure.status == .usage)
    #expect(failure.message.contains("“hading”, there are "))
  }

  @Test("a file that cannot be written is refused before the run begins")
  func unwritable() async throws {
    let folder = try TemporaryFolder()
    for path in [folder.path("nowhere/run.rasp"), folder.path("")] {
      let failure = await #expect(throws: RunFailure.self) { try await replay("harbour", options: "--record", path) }
      #expect(failure?.status == .ioError)
      #expect(failure?.message.contains("cannot record into") == true)
    }
  }

  @Test("a page takes the first name that is free")
  func freeNames() throws {
    let folder = try TemporaryFolder()
    for expected in ["system.html", "system-2.html", "system-3.html"] {
      let name = FileNames.free("system", ".html", in: folder.path(""))
      #expect(name == expected)
      try Data().write(to: URL(filePath: folder.path(name)))
    }
  }

  @Test("what is no recording is refused with the reason")
  func foreign() async throws {
    let failure = await #expect(throws: RunFailure.self) { try await inspect(try recording("harbour")) }
    #expect(failure?.status == .noInput)
    #expect(failure?.message.contains("cannot read the recording") == true)
    let missing = await #expect(throws: RunFailure.self) { try await inspect("/nowhere/at/all") }
    #expect(missing?.status == .noInput)
  }

  @Test("a run that is ended by the user is recorded, too")
  func interrupted() async throws {
    let (folder, file, interrupts) = (try TemporaryFolder(), try OutputFile(), Subject<Void, Never>())
    let scenario = SystemScenario(
      options: Options(recordingPath: folder.path("run.rasp")),
      scheduler: VirtualScheduler(),
      interrupts: interrupts.observable
    )
    let run = Task { try await scenario.run(output: file.output) }
    #expect(await eventually { interrupts.observerCount != 0 })
    interrupts.send(())
    try await run.value
    let recording = try Recording<SystemState>(contentsOf: folder.path("run.rasp"))
    #expect(recording.state.hasEnded && recording.name == "system")
    #expect(try await inspect(folder.path("run.rasp")).lines().contains { $0.contains(".end") })
  }
}
