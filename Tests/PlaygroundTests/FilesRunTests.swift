import Aggregate
import Foundation
import RASPInsight
import RASPJournal
import TestSupport
import Testing

@testable import Playground

private struct Sum: AggregateState, Codable {
  var sum = 0
  mutating func apply(_ event: Int) { sum += event }
}

@Suite("Looking at files", .endsInTime)
struct FilesRunTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) async throws -> OutputFile {
    let file = try OutputFile()
    let run = try #require(try Program.scenarios.run(for: arguments))
    try await run.run(output: file.output)
    return file
  }

  /// A journal that no scenario knows, and a recording of it.
  private func write() async throws -> (journal: String, recording: String) {
    let paths = (folder.path("journal"), folder.path("sum.rasp"))
    let journal = try Journal(at: paths.0, startingWith: Sum())
    let sum = try Aggregator(continuing: journal)
    let recorder = Insight().record(sum, as: "sum")
    for number in 1...5 { sum.send(number) }
    try recorder.recording.write(to: paths.1)
    try await journal.close()
    return paths
  }

  @Test("list, verify and dump of a journal and of a recording, without their types")
  func whole() async throws {
    let (journal, recording) = try await write()
    for path in [journal, recording] {
      let listed = try await run("files", "list", path, "--json").objects()
      #expect(listed.map { $0["events"] as? Int } == [5])
      let end = path == journal ? "; it was closed" : ""
      #expect(try await run("files", "verify", path).text() == "1 files are whole, with 5 events\(end)\n")
      let dumped = try await run("files", "dump", path).objects()
      #expect(dumped.compactMap { $0["number"] as? Int } == [1, 2, 3, 4, 5])
      #expect(dumped.filter { $0["number"] != nil }.compactMap { $0["value"] as? Int } == [1, 2, 3, 4, 5])
    }
    #expect(try await run("files", "list", journal).text().contains("segment"))
  }

  @Test("a changed bit is told, with the remedy")
  func damaged() async throws {
    let (_, recording) = try await write()
    var bytes = try Data(contentsOf: URL(filePath: recording))
    bytes[100] ^= 1
    try bytes.write(to: URL(filePath: recording))
    let output = try OutputFile()
    let run = try #require(try Program.scenarios.run(for: ["files", "verify", recording, "--json"]))
    let failure = await #expect(throws: RunFailure.self) { try await run.run(output: output.output) }
    #expect(failure?.message.contains("bring back a copy") == true)
    #expect(try output.objects().count == 1)
    await #expect(throws: RunFailure.self) { try await self.run("files", "dump", recording) }
  }

  @Test(
    "what is no journal is refused by name",
    arguments: [["list", "nowhere"], ["verify", "."], ["dump", ""], ["cut"], []]
  )
  func refused(arguments: [String]) async throws {
    let failure = await #expect(throws: RunFailure.self) {
      guard let run = try Program.scenarios.run(for: ["files"] + arguments) else { return }
      try await run.run(output: OutputFile().output)
    }
    #expect(failure?.message.contains("name") == true || failure?.message.contains("needs") == true)
  }
}
