import Aggregate
import Foundation
import RASPJournal
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("Runs with a journal", .endsInTime)
struct JournaledRunTests {
  private func run(_ arguments: String...) async throws -> OutputFile {
    let file = try OutputFile()
    let run = try #require(try Program.scenarios.run(for: arguments))
    try await run.run(output: file.output)
    return file
  }

  /// The state behind an event, as `journal` writes it.
  private func state(at place: String, in path: String) async throws -> [String: Any] {
    let objects = try await run("journal", path, "--at", place).objects()
    #expect(objects.count == 1)
    return try #require(objects.first)
  }

  /// Runs the sensors until they were read once.
  private func runSystem(_ path: String) async throws {
    let (file, scheduler, interrupts) = (try OutputFile(), VirtualScheduler(), Subject<Void, Never>())
    let scenario = SystemScenario(
      options: Options(journalPath: path),
      scheduler: scheduler,
      interrupts: interrupts.observable
    )
    let run = Task { try await scenario.run(output: file.output) }
    #expect(await eventually { interrupts.observerCount != 0 })
    interrupts.send(())
    try await run.value
  }

  @Test("system: a run that was stopped goes on with the next one")
  func system() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("system")
    try await runSystem(path)
    let first = try await run("journal", path).objects()
    #expect(first.last?["event"] as? [String: [String: Int]] == ["end": [:]])
    try await runSystem(path)
    let both = try await run("journal", path).objects()
    #expect(both.map { $0["number"] as? Int } == (1...both.count).map { $0 })
    #expect(both.allSatisfy { Set($0.keys) == ["event", "number", "time"] })
    #expect(both[first.count]["event"] as? [String: [String: Int]] == ["resumed": [:]])
    #expect(try await state(at: "\(first.count)", in: path)["hasEnded"] as? Bool == true)
    #expect(try await state(at: "\(first.count + 1)", in: path)["hasEnded"] as? Bool == false)
    #expect(try await state(at: "\(both.count)", in: path)["hasEnded"] as? Bool == true)
  }

  @Test("geo: the sentences of all runs are counted, and each earlier state can be seen, also by its time")
  func geo() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("geo")
    let summary = try #require(
      try await run("geo", try recording("harbour"), "--json", "--journal", path).objects().last?["summary"]
        as? [String: Any]
    )
    let events = try #require(summary["events"] as? [String: Int]).values.reduce(0, +)
    let lines = try await run("journal", path).objects()
    #expect(lines.count == events)
    func sentences(at place: String) async throws -> Int? {
      (try await state(at: place, in: path)["reception"] as? [String: Any])?["sentences"] as? Int
    }
    let once = try #require(try await sentences(at: "\(events)"))
    #expect(try await sentences(at: "0") == 0)

    _ = try await run("geo", try recording("harbour"), "--json", "--journal=\(path)")
    let both = try await run("journal", path).objects()
    // The second run begins with an event of its own.
    #expect(both.count == 2 * events + 1)
    #expect(try await sentences(at: "\(both.count)") == 2 * once)
    #expect(try await sentences(at: "\(events)") == once)
    let last = try #require(both.last?["time"] as? String)
    #expect(try await sentences(at: "2200-01-01T00:00:00Z") == 2 * once)
    #expect(try await sentences(at: "1999-12-31T23:59:59Z") == 0)
    #expect(try await sentences(at: last) != nil)
  }

  @Test("ticker: the rows come back, and the prices go on from there")
  func ticker() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ticker")
    var rows: [String: [String: Any]] = [:]
    for round in 1...2 {
      let (file, scheduler) = (try OutputFile(), VirtualScheduler())
      let scenario = TickerScenario(
        options: Options(duration: .milliseconds(100), json: true, journalPath: path),
        scheduler: scheduler,
        generator: SplitMix(seed: UInt64(round)),
        interrupts: .merge([]),
        keys: .merge([])
      )
      let run = Task { try await scenario.run(output: file.output) }
      #expect(await eventually { scheduler.pending.count >= 3 })
      scheduler.advance(by: .milliseconds(100))
      try await run.value
      let journal = try Journal(at: path, startingWith: RecordedRows<String, Quote>())
      let count = journal.recovery.event
      try await journal.close()
      let state = try await state(at: "\(count)", in: path)
      let found = try #require(state["rows"] as? [String: [String: Any]])
      #expect(found.count == Market.symbolCount)
      let ticks = found.values.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
      #expect(ticks == count - Market.symbolCount)
      #expect(ticks >= 900 * round)
      for (symbol, row) in rows { #expect(found[symbol]?["open"] as? Double == row["open"] as? Double) }
      rows = found
    }
  }

  private func expectFailure(
    _ status: Playground.ExitStatus,
    _ words: String...,
    of arguments: [String]
  ) async {
    let failure = await #expect(throws: RunFailure.self) {
      let run = try #require(try Program.scenarios.run(for: arguments))
      try await run.run(output: OutputFile().output)
    }
    #expect(failure?.status == status)
    for word in words { #expect(failure?.message.contains(word) == true, "\(failure?.message ?? "")") }
  }

  @Test("what is no journal is refused with the remedy")
  func wrongFolders() async throws {
    let folder = try TemporaryFolder()
    let geo = ["geo", try recording("harbour"), "--journal"]
    await expectFailure(.noInput, "is no journal", "name a folder", of: ["journal", folder.path("nowhere")])
    await expectFailure(.usage, "needs a folder", of: ["journal"])
    await expectFailure(.ioError, "mkdir", "in a folder that is there", of: geo + [folder.path("no/where")])
    try Data().write(to: URL(filePath: folder.path("file")))
    for arguments in [["journal"], geo] {
      await expectFailure(.noInput, "is a file", "name a folder", of: arguments + [folder.path("file")])
    }
    await expectFailure(.noInput, "has other files", "name an empty folder", of: geo + [folder.path("")])
    #expect(!FileManager.default.fileExists(atPath: folder.path("lock")))
  }

  @Test("damage, another program and another scenario are told with the remedy")
  func troubles() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("geo")
    let geo = ["geo", try recording("harbour"), "--json", "--journal", path]
    _ = try await run("geo", try recording("harbour"), "--json", "--journal", path)
    await expectFailure(.noInput, "another scenario", of: ["system", "--journal", path])
    await expectFailure(.noInput, "event 99999 is needed", of: ["journal", path, "--at", "99999"])
    await expectFailure(.usage, "--at takes the number of an event", of: ["journal", path, "--at", "yesterday"])

    let other = try Journal(at: path, startingWith: NavigationState())
    await expectFailure(.ioError, "end the program that has it open", of: geo)
    await expectFailure(.noInput, "end the program that has it open", of: ["journal", path])
    try await other.close()

    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let segment = URL(filePath: "\(path)/\(try #require(names.first { $0.hasSuffix(".events") }))")
    var bytes = try Data(contentsOf: segment)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: segment)
    for arguments in [geo, ["journal", path]] {
      await expectFailure(.noInput, "damaged at offset", "bring back a copy", of: arguments)
    }
  }
}
