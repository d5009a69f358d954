import Aggregate
import Foundation
import RASPInsight
import RASPJournal
import TestSupport
import Testing

@testable import rasp_files

private struct Sum: AggregateState, Codable {
  var sum = 0
  mutating func apply(_ event: Int) { sum += event }
}

@Suite("The program rasp-files", .endsInTime)
final class FilesCommandTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "rasp-files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  /// The lines that it writes.
  private func run(_ arguments: String...) async throws -> [String] { try await lines(arguments) }

  private func lines(_ arguments: [String]) async throws -> [String] {
    var lines: [String] = []
    try await #require(try FilesCommand(arguments)).run { lines.append($0) }
    return lines
  }

  private func objects(_ arguments: String...) async throws -> [[String: Any]] {
    try await lines(arguments).map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
  }

  /// A journal that no scenario knows, and a recording of it.
  private func write() async throws -> (journal: String, recording: String) {
    let paths = (path("journal"), path("sum.rasp"))
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
      let listed = try await objects("list", path, "--json")
      #expect(listed.map { $0["events"] as? Int } == [5])
      let end = path == journal ? "; it was closed" : ""
      #expect(try await run("verify", path) == ["1 files are whole, with 5 events\(end)"])
      let dumped = try await objects("dump", path)
      #expect(dumped.compactMap { $0["number"] as? Int } == [1, 2, 3, 4, 5])
      #expect(dumped.filter { $0["number"] != nil }.compactMap { $0["value"] as? Int } == [1, 2, 3, 4, 5])
    }
    #expect(try await run("list", journal)[0].contains("segment"))
  }

  @Test("a changed bit is told, with the remedy")
  func damaged() async throws {
    let (_, recording) = try await write()
    var bytes = try Data(contentsOf: URL(filePath: recording))
    bytes[100] ^= 1
    try bytes.write(to: URL(filePath: recording))
    let command = try #require(try FilesCommand(["verify", recording, "--json"]))
    var lines: [String] = []
    let failure = await #expect(throws: FilesFailure.self) { try await command.run { lines.append($0) } }
    #expect(failure?.message.contains("bring back a copy") == true)
    #expect(failure?.status == FilesFailure.noInput)
    #expect(lines.count == 1 && lines[0].hasPrefix(#"{"path":"\#(recording)","problem":"#))
    await #expect(throws: FilesFailure.self) { try await self.run("dump", recording) }
  }

  @Test("cut writes a copy that ends at a place, and changes nothing else")
  func cut() async throws {
    let (journal, recording) = try await write()
    let copy = path("copy")
    let lines = try await run("cut", journal, "--at", "3", "--out", copy)
    #expect(lines == ["\(copy) ends behind event 3, and was closed"])
    #expect(try await run("verify", copy) == ["1 files are whole, with 3 events; it was closed"])
    #expect(try await run("verify", journal)[0].contains("5 events"))
    let reader = try JournalReader(at: copy, startingWith: Sum())
    #expect(reader.state.sum == 1 + 2 + 3)
    await expectRefused("there already", ["cut", journal, "--at", "3", "--out", copy])
    await expectRefused("event 6 is needed", ["cut", journal, "--at", "9", "--out", path("far")])
    await expectRefused("made by its program", ["cut", recording, "--at", "3", "--out", path("cut.rasp")])
    await expectRefused("--at and --out", ["cut", journal, "--at", "3"])
  }

  @Test("cut and export of a log take a date, and a number only for one partition")
  func partitions() async throws {
    let (journal, _) = try await write()
    let log = path("log")
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
    for name in ["0-of-2", "1-of-2"] { try FileManager.default.copyItem(atPath: journal, toPath: "\(log)/\(name)") }
    await expectRefused("0-of-2", ["cut", log, "--at", "3", "--out", path("x")])
    await expectRefused("0-of-2", ["export", log, "--from", "3"])
    let copy = path("copy")
    let cut = try await objects("cut", log, "--at", "2100-01-01T00:00:00Z", "--out", copy, "--json")
    #expect(cut.map { $0["path"] as? String } == ["\(copy)/0-of-2", "\(copy)/1-of-2"])
    #expect(cut.map { $0["event"] as? Int } == [5, 5])
    let lines = try await objects("export", log, "--until", "2100-01-01T00:00:00Z")
    #expect(lines.count == 10 && lines.map { $0["partition"] as? String }.last == "1-of-2")
    #expect(try await run("export", log, "--from", "2100-01-01T00:00:00Z").isEmpty)
  }

  @Test("export writes the events of a range, also into a file that is not there")
  func export() async throws {
    let (journal, recording) = try await write()
    for path in [journal, recording] {
      let some = try await objects("export", path, "--from", "2", "--until", "4")
      #expect(some.map { $0["number"] as? Int } == [2, 3, 4])
      #expect(some.map { $0["value"] as? Int } == [2, 3, 4])
      #expect(try await objects("export", path, "--json").count == 5)
    }
    let file = path("events.jsonl")
    #expect(try await run("export", journal, "--out", file).isEmpty)
    let all = try await run("export", journal).map { "\($0)\n" }.joined()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == all)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    await expectRefused("not there", ["export", journal, "--out", file])
    await expectRefused("takes", ["list", journal, "--from", "3"])
  }

  private func expectRefused(_ word: String, _ arguments: [String]) async {
    let failure = await #expect(throws: FilesFailure.self) { try await lines(arguments) }
    #expect(failure?.message.contains(word) == true, "\(failure?.message ?? "")")
  }

  @Test(
    "what is no journal is refused by name",
    arguments: [["list", "nowhere"], ["verify", "."], ["dump", ""], ["cut"], ["skip", "."], []]
  )
  func refused(arguments: [String]) async throws {
    let failure = await #expect(throws: FilesFailure.self) { try await lines(arguments) }
    #expect(failure?.message.contains("name") == true || failure?.message.contains("needs") == true)
  }

  @Test(
    "a mistake of the command line is told with what to write",
    arguments: [
      (["list", ".", "--form"], "unknown option “--form”"), (["cut", ".", "--at"], "as in --at 1204"),
      (["cut", ".", "--at", "--json"], "as in --at 1204"), (["list", ".", "."], "unexpected argument “.”"),
      (["dump", ".", "--out=x"], "takes no options, and not --out"), (["export", ".", "--out="], "as in --out copy"),
    ]
  )
  func mistakes(arguments: [String], words: String) async {
    await expectRefused(words, arguments)
  }

  @Test("help is no command, and what stands behind two dashes is no option")
  func help() async throws {
    #expect(try FilesCommand(["list", "--help"]) == nil)
    await expectRefused("there is nothing at “--help”", ["list", "--", "--help"])
  }

  @Test("a value that is no JSON is written in base64, and controls of a terminal are not written in a text")
  func values() async throws {
    let path = path("words")
    let coding = RecordingCoding<Sum>(
      states: .codable,
      events: Coding(version: 1, named: "Raw") { event, bytes in
        bytes.append(
          contentsOf: event == 1 ? [0x5B, 0x31, 0x2E, 0x32, 0x2E, 0x33, 0x5D] : Array(#"{"a":["\#u{200D}"]}"#.utf8)
        )
      } decode: { bytes in
        _ = try bytes.readBytes(bytes.remaining)
        return 0
      }
    )
    let journal = try Journal(at: path, startingWith: Sum(), coding: coding)
    let sum = try Aggregator(continuing: journal)
    for number in 1...2 { sum.send(number) }
    try await journal.close()
    let lines = try await run("dump", path)
    #expect(lines[0].hasSuffix(#""type":"Raw","version":1,"base64":"WzEuMi4zXQ=="}"#))
    #expect(lines[1].hasSuffix(#""type":"Raw","version":1,"value":{"a":["\#u{200D}"]}}"#))
    try FileManager.default.moveItem(atPath: path, toPath: "\(path)\u{1B}")
    #expect(try await run("list", "\(path)\u{1B}")[0].hasPrefix("\(path)?/"))
  }
}
