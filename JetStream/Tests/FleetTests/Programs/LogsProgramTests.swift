import Foundation
import NIOCore
import RASPJetStream
import RASPLogs
import RASPNATS
import ServerSupport
import Testing

/// The program of operators, over a real server.
@Suite(
  "The program Logs",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct LogsProgramTests {
  private static let program = BuiltProgram(name: "Logs")

  private func run(_ words: String...) async throws -> (status: Int32, lines: [String]) {
    try await Self.program.run(words)
  }

  private func object(_ line: String?) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data((line ?? "").utf8)) as? NSDictionary)
  }

  /// A log with texts, a message that is no text, and one that was deleted.
  private func fill(_ server: NATSServer) async throws -> JetStreamLog<String> {
    let log = try await JetStreamLog<String>(server.url, name: "readings", partitions: 2)
    try await log.append(["warm", "cold"], to: 0)
    let client = try await NATSClient.connect(to: server.url)
    let message = ByteBuffer(bytes: [0, 255])
    _ = try await client.request(message, to: "readings.0.boiler", headers: ["RASP-Type": "2 Text", "Place": "roof"])
    try await log.append(["hot"], to: 0)
    _ = try await client.request(ByteBuffer(string: #"{"seq":2}"#), to: "$JS.API.STREAM.MSG.DELETE.readings-0")
    await client.close()
    try await log.append(["wet"], to: 1)
    return log
  }

  @Test("list tells what each partition has, and who owns it")
  func list() async throws {
    let server = try await NATSServer.start()
    let log = try await fill(server)
    #expect(
      try await run("list", server.url).lines[0].hasPrefix("readings: 2 partitions, a lease of 5.0 s, deletion allowed")
    )
    try await log.commit([1, 2, 3], at: 1, to: 0, replacing: .none)
    let member = log.assignment(of: "owner-1").subscribe { _ in }
    var lines: [String] = []
    while !lines.contains(where: { $0.contains("owner-1") }) { lines = try await run("list", server.url).lines }
    #expect(lines[1].hasPrefix("readings/0: 3 entries, from 1 to 4, "))
    #expect(lines[1].hasSuffix("; record at 1 with 3 bytes; owner owner-1"))
    #expect(lines[2].contains("; no record; owner owner-1"))
    member.cancel()
    let json = try await run("list", server.url, "readings", "--json").lines
    #expect(try object(json.first)["partitions"] as? Int == 2)
    let partition = try object(json[1])
    #expect(partition["newest"] as? Int == 4)
    #expect(partition["record"] as? Int == 1)
    let (status, missing) = try await run("list", server.url, "other")
    #expect(status != 0)
    #expect(missing.joined().contains("There is no log other"))
    // A bucket of something else is no log, and a log that cannot be opened is named.
    let client = try await NATSClient.connect(to: server.url)
    for (name, description) in [("settings", nil), ("future", #"{"format":9}"#)] as [(String, String?)] {
      let bucket = ##"{"name":"KV_\##(name)","subjects":["$KV.\##(name).>"],"allow_direct":true}"##
      _ = try await client.request(ByteBuffer(string: bucket), to: "$JS.API.STREAM.CREATE.KV_\(name)")
      if let description { _ = try await client.request(ByteBuffer(string: description), to: "$KV.\(name).log") }
    }
    await client.close()
    let all = try await run("list", server.url)
    #expect(all.status == 1)
    #expect(all.lines.first?.hasPrefix("future: it cannot be opened: ") == true, "\(all.lines)")
    #expect(all.lines.count == 4 && all.lines[1].hasPrefix("readings: 2 partitions"))
    try await log.close()
  }

  @Test("dump and export write a line of JSON for each entry")
  func dump() async throws {
    let server = try await NATSServer.start()
    let log = try await fill(server)
    let (status, lines) = try await run("dump", server.url, "readings")
    #expect(status == 0)
    let objects = try lines.map { try object($0) }
    #expect(objects.map { $0["offset"] as? Int } == [1, 3, 4, 1])
    #expect(objects.map { $0["partition"] as? Int } == [0, 0, 0, 1])
    #expect(objects.map { $0["value"] as? String } == ["warm", nil, "hot", "wet"])
    #expect(objects[1]["base64"] as? String == "AP8=")
    #expect(objects[1]["type"] as? String == "Text")
    #expect(objects[1]["version"] as? Int == 2)
    #expect(objects[1]["subject"] as? String == "readings.0.boiler")
    #expect(objects[1]["headers"] as? [String: String] == ["Place": "roof"])
    #expect((objects[0]["time"] as? String)?.hasSuffix("Z") == true)
    #expect(
      try await run("dump", server.url, "readings", "--partition", "0", "--from", "2", "--to", "3").lines == [lines[1]]
    )
    #expect(try await run("dump", server.url, "readings", "--partition", "2").status != 0)
    #expect(try await run("dump", server.url, "readings", "--from", "3", "--to", "2").status != 0)
    let file = server.folder.appending(path: "readings.jsonl")
    #expect(try await run("export", server.url, "readings", file.path).lines == ["4 entries are in \(file.path)"])
    #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init) == lines)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let again = try await run("export", server.url, "readings", file.path)
    #expect(again.status != 0 && again.lines.joined().contains("Name a file that is not there"))
    try await log.close()
  }

  @Test("verify finds what does not fit together")
  func verify() async throws {
    let server = try await NATSServer.start()
    let log = try await fill(server)
    try await log.commit([1], at: 4, identified: log.identity(of: 4, in: 0), to: 0, replacing: .none)
    #expect(try await run("verify", server.url, "readings").lines == ["2 partitions are whole, with 4 entries"])
    #expect(try await run("verify", server.url, "readings", "--json").lines == [#"{"entries":4,"partitions":2}"#])
    let client = try await NATSClient.connect(to: server.url)
    func tell(_ request: String, _ body: String) async throws {
      let answer = try await client.request(ByteBuffer(string: body), to: "$JS.API.STREAM.\(request)")
      #expect(!String(buffer: answer.payload).contains("\"error\""), "\(String(buffer: answer.payload))")
    }
    // Another stream of the same length, and one whose newest entries are gone.
    try await tell("DELETE.readings-0", "")
    try await tell("CREATE.readings-0", #"{"name":"readings-0","subjects":["readings.0","readings.0.>"]}"#)
    for _ in 0..<4 { _ = try await client.request(ByteBuffer(string: "1"), to: "readings.0") }
    try await tell("PURGE.readings-1", "")
    let (status, lines) = try await run("verify", server.url, "readings")
    #expect(status == 1)
    #expect(lines.contains { $0.hasPrefix("readings/0: it went back: the entry 4 is another one") }, "\(lines)")
    #expect(lines.contains("readings/1: the entries from 1 to 1 are not there, and it is not known why"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("readings: its partitions have different duplicate windows") } == false)
    try await tell("UPDATE.readings-0", #"{"name":"readings-0","subjects":["readings.0"],"max_bytes":9000}"#)
    _ = try await client.request(ByteBuffer(string: "x"), to: "$KV.readings.1")
    let json = try await run("verify", server.url, "readings", "--json").lines.map {
      try object($0)["problem"] as? String
    }
    #expect(json.contains { $0?.contains("its stream has the subjects readings.0") == true }, "\(json)")
    #expect(json.contains { $0?.contains("its partitions have different greatest sizes: -1, 9000") == true }, "\(json)")
    #expect(json.contains { $0?.contains("its record cannot be read") == true }, "\(json)")
    try await tell("DELETE.readings-1", "")
    #expect(try await run("verify", server.url, "readings").lines.contains("readings/1: its stream is gone"))
    await client.close()
    try await log.close()
  }

  @Test("cut copies a log that ends earlier, and changes nothing in it")
  func cut() async throws {
    let server = try await NATSServer.start()
    let log = try await fill(server)
    let before = try await run("dump", server.url, "readings").lines
    let (status, lines) = try await run("cut", server.url, "readings", "shorter", "--at", "0:3")
    #expect(status == 0)
    #expect(lines == ["3 entries are in the log shorter; 1 were deleted, so offsets behind them are other"])
    #expect(try await run("dump", server.url, "readings").lines == before)
    let copies = try await run("dump", server.url, "shorter").lines.map { try object($0) }
    #expect(copies.map { $0["offset"] as? Int } == [1, 2, 1])
    #expect(copies.map { $0["value"] as? String } == ["warm", nil, "wet"])
    #expect(copies[1]["subject"] as? String == "shorter.0.boiler")
    #expect(copies[1]["type"] as? String == "Text")
    #expect((copies[1]["headers"] as? [String: String])?["RASP-Origin"] == "readings/0/3")
    #expect((copies[1]["headers"] as? [String: String])?["Place"] == "roof")
    let copy = try await JetStreamLog<String>(server.url, name: "shorter", partitions: 2, onPoison: .skip)
    #expect(try await copy.append(["on"], to: 0) == 3)
    try await copy.close()
    for words in [["shorter", "0:3"], ["longer", "0:9"], ["longer", "7:1"], ["longer", "3"], ["x-members", "0:1"]] {
      #expect(try await run("cut", server.url, "readings", words[0], "--at", words[1]).status != 0)
    }
    #expect(try await run("list", server.url).lines.contains { $0.hasPrefix("longer") } == false)
    try await log.close()
  }
}
