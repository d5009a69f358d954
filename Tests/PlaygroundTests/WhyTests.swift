import Aggregate
import Foundation
import RASPJournal
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("What --why explains", .endsInTime)
struct WhyTests {
  /// Replays a recording of a receiver, with these options.
  private func replay(_ name: String, options: String...) async throws -> OutputFile {
    let file = try OutputFile()
    let run = try #require(try Program.scenarios.run(for: ["geo", try recording(name)] + options))
    try await run.run(output: file.output)
    return file
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
}
