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

private struct Words: AggregateState, Codable {
  var count = 0
  mutating func apply(_ event: Int?) { count += 1 }
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

  @Test("cut writes a copy that ends at a place, and changes nothing else")
  func cut() async throws {
    let (journal, recording) = try await write()
    let copy = folder.path("copy")
    let text = try await run("files", "cut", journal, "--at", "3", "--out", copy).text()
    #expect(text == "\(copy) ends behind event 3, and was closed\n")
    #expect(try await run("files", "verify", copy).text() == "1 files are whole, with 3 events; it was closed\n")
    #expect(try await run("files", "verify", journal).text().contains("5 events"))
    let reader = try JournalReader(at: copy, startingWith: Sum())
    #expect(reader.state.sum == 1 + 2 + 3)
    await expectRefused("there already", ["cut", journal, "--at", "3", "--out", copy])
    await expectRefused("event 6 is needed", ["cut", journal, "--at", "9", "--out", folder.path("far")])
    await expectRefused("made by its program", ["cut", recording, "--at", "3", "--out", folder.path("cut.rasp")])
    await expectRefused("--at and --out", ["cut", journal, "--at", "3"])
  }

  @Test("cut and export of a log take a date, and a number only for one partition")
  func partitions() async throws {
    let (journal, _) = try await write()
    let log = folder.path("log")
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
    for name in ["0-of-2", "1-of-2"] { try FileManager.default.copyItem(atPath: journal, toPath: "\(log)/\(name)") }
    await expectRefused("0-of-2", ["cut", log, "--at", "3", "--out", folder.path("x")])
    await expectRefused("0-of-2", ["export", log, "--from", "3"])
    let copy = folder.path("copy")
    let cut = try await run("files", "cut", log, "--at", "2100-01-01T00:00:00Z", "--out", copy, "--json").objects()
    #expect(cut.map { $0["path"] as? String } == ["\(copy)/0-of-2", "\(copy)/1-of-2"])
    #expect(cut.map { $0["event"] as? Int } == [5, 5])
    let lines = try await run("files", "export", log, "--until", "2100-01-01T00:00:00Z").objects()
    #expect(lines.count == 10 && lines.map { $0["partition"] as? String }.last == "1-of-2")
    #expect(try await run("files", "export", log, "--from", "2100-01-01T00:00:00Z").text().isEmpty)
  }

  @Test("export writes the events of a range, also into a file that is not there")
  func export() async throws {
    let (journal, recording) = try await write()
    for path in [journal, recording] {
      let some = try await run("files", "export", path, "--from", "2", "--until", "4").objects()
      #expect(some.map { $0["number"] as? Int } == [2, 3, 4])
      #expect(some.map { $0["value"] as? Int } == [2, 3, 4])
      #expect(try await run("files", "export", path, "--json").objects().count == 5)
    }
    let file = folder.path("events.jsonl")
    #expect(try await run("files", "export", journal, "--out", file).text().isEmpty)
    let all = try await run("files", "export", journal).text()
    #expect(try folder.text("events.jsonl") == all)
    await expectRefused("not there", ["export", journal, "--out", file])
    await expectRefused("takes", ["list", journal, "--from", "3"])
  }

  private func expectRefused(_ word: String, _ arguments: [String]) async {
    let failure = await #expect(throws: RunFailure.self) {
      let file = try OutputFile()
      let run = try #require(try Program.scenarios.run(for: ["files"] + arguments))
      try await run.run(output: file.output)
    }
    #expect(failure?.message.contains(word) == true, "\(failure?.message ?? "")")
  }

  @Test(
    "what is no journal is refused by name",
    arguments: [["list", "nowhere"], ["verify", "."], ["dump", ""], ["cut"], ["mend"], []]
  )
  func refused(arguments: [String]) async throws {
    let failure = await #expect(throws: RunFailure.self) {
      guard let run = try Program.scenarios.run(for: ["files"] + arguments) else { return }
      try await run.run(output: OutputFile().output)
    }
    #expect(failure?.message.contains("name") == true || failure?.message.contains("needs") == true)
  }
}
