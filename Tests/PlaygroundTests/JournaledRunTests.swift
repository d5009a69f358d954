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

  /// The events in a journal, and the state that they have led to.
  private func contents<State: AggregateState & Codable>(
    _ path: String,
    startingWith initial: State
  ) async throws -> (events: [State.Event], state: State) where State.Event: Codable {
    let reader = try JournalReader(at: path, startingWith: initial)
    var (events, state): ([State.Event], State) = ([], initial)
    for try await entry in reader.events(after: 0) {
      events.append(entry.event)
      try state.apply(entry.event)
    }
    return (events, state)
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
    let first = try await contents(path, startingWith: SystemState())
    #expect(first.state.hasEnded && first.events.last.map(caseName) == "end")
    try await runSystem(path)
    let both = try await contents(path, startingWith: SystemState())
    #expect(caseName(both.events[first.events.count]) == "resumed" && both.state.hasEnded)
  }

  @Test("geo: the events of all runs are kept, and each run begins with an event of its own")
  func geo() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("geo")
    let summary = try #require(
      try await run("geo", try recording("harbour"), "--json", "--journal", path).objects().last?["summary"]
        as? [String: Any]
    )
    let events = try #require(summary["events"] as? [String: Int]).values.reduce(0, +)
    #expect(try await contents(path, startingWith: NavigationState()).events.count == events)
    _ = try await run("geo", try recording("harbour"), "--json", "--journal=\(path)")
    let both = try await contents(path, startingWith: NavigationState())
    #expect(both.events.count == 2 * events + 1)
    #expect(both.state.depth == 9.5)
  }

  @Test("ticker: the rows come back, and the prices go on from there")
  func ticker() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ticker")
    var rows: [String: Quote] = [:]
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
      let found = try await contents(path, startingWith: RecordedRows<String, Quote>()).state.rows
      #expect(found.count == Market.symbolCount)
      let ticks = found.values.reduce(0) { $0 + $1.count }
      #expect(ticks == count - Market.symbolCount && ticks >= 900 * round)
      for (symbol, row) in rows { #expect(found[symbol]?.open == row.open) }
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
    await expectFailure(.ioError, "mkdir", "in a folder that is there", of: geo + [folder.path("no/where")])
    try Data().write(to: URL(filePath: folder.path("file")))
    await expectFailure(.ioError, "name a folder", of: geo + [folder.path("file")])
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
    let other = try Journal(at: path, startingWith: NavigationState())
    await expectFailure(.ioError, "end the program that has it open", of: geo)
    try await other.close()

    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let segment = URL(filePath: "\(path)/\(try #require(names.first { $0.hasSuffix(".events") }))")
    var bytes = try Data(contentsOf: segment)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: segment)
    await expectFailure(.noInput, "damaged at offset", "bring back a copy", of: geo)
  }
}
