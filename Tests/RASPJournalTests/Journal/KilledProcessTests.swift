import RASPKeyed

#if os(Linux)
  import Aggregate
  import Foundation
  import RASPTesting
  import TestSupport
  import Testing

  @testable import RASPJournal

  /// The test process runs itself as the child, with one test, which is skipped otherwise.
  @Suite("A process that is killed")
  struct KilledProcessTests {
    private static let variable = "RASP_JOURNAL_CHILD"
    private static let folder = ProcessInfo.processInfo.environment[variable]

    private static func setup(_ random: inout SplitMix) -> JournalSetup {
      var setup = JournalSetup()
      setup.plan = StoreRun.random(&random).plan
      setup.plan.segmentSize *= 100
      setup.plan.snapshotInterval *= 50
      setup.idleWait = .milliseconds(1)
      return setup
    }

    private static func open(_ folder: String, random: inout SplitMix) throws -> Journal<Total> {
      try Journal(at: folder, startingWith: Total(), coding: .byHand, setup(&random), on: POSIXFileSystem())
    }

    private static func openRows(_ folder: String, random: inout SplitMix) throws -> Journal<Accounts> {
      try Journal(at: folder, startingWith: Accounts(), coding: .codable, setup(&random), on: POSIXFileSystem())
    }

    /// Sends without end, and says after each flush how many events were flushed.
    private func send<State>(to journal: Journal<State>, _ send: (ClosedRange<Int>) -> Void) async throws {
      var sent = journal.recovery.event
      while true {
        let next = sent + 1...sent + Int.random(in: 1...50)
        send(next)
        sent = next.upperBound
        try await journal.flush()
        try FileHandle.standardOutput.write(contentsOf: Data("flushed \(sent)\n".utf8))
      }
    }

    @Test("the child: it says after each flush how many events were flushed", .enabled(if: folder != nil))
    func child() async throws {
      var random = SplitMix(seed: .random(in: 0...UInt64.max))
      let journal = try Self.open(try #require(Self.folder), random: &random)
      let aggregator = try Aggregator(continuing: journal)
      try await send(to: journal) { aggregator.send($0) }
    }

    @Test("the child with rows", .enabled(if: folder != nil))
    func rowsChild() async throws {
      var random = SplitMix(seed: .random(in: 0...UInt64.max))
      let journal = try Self.openRows(try #require(Self.folder), random: &random)
      let accounts = try KeyedAggregator(continuing: journal)
      try await send(to: journal) { accounts.make($0) }
    }

    @Test("again and again: the next one has a prefix with all that was flushed", .enabled(if: folder == nil))
    func killed() async throws {
      try await kill("child", rounds(300)) { folder, flushed, random, seed in
        let journal = try Self.open(folder, random: &random)
        let found = journal.recovery.event
        let state = try Aggregator(continuing: journal).snapshot
        #expect(found >= flushed, "seed \(seed)")
        #expect(state == StoreRun.state(after: found), "seed \(seed)")
        try await journal.close()
      }
    }

    @Test("the same with rows", .enabled(if: folder == nil))
    func killedWithRows() async throws {
      try await kill("rowsChild", rounds(100)) { folder, flushed, random, seed in
        let journal = try Self.openRows(folder, random: &random)
        let found = journal.recovery.event
        let rows = try KeyedAggregator(continuing: journal).rows()
        #expect(found >= flushed, "seed \(seed)")
        #expect(rows == [String: Account](after: found), "seed \(seed)")
        try await journal.close()
      }
    }

    /// Kills children, two at a time, each of which goes on in the folder of one before it.
    private func kill(
      _ child: String,
      _ count: Int,
      _ check: @escaping @Sendable (String, _ flushed: Int, inout SplitMix, _ seed: Int) async throws -> Void
    ) async throws {
      try await withThrowingTaskGroup { group in
        for part in 0..<2 {
          group.addTask {
            let folder = FileManager.default.temporaryDirectory.appending(path: "RASPJournalTests-\(UUID().uuidString)")
              .path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            for seed in stride(from: part, to: count, by: 2) {
              var random = SplitMix(seed: UInt64(seed))
              let lines = Int.random(in: 1...20, using: &random)
              let flushed = Log<Int>()
              await Threads.run { flushed.note(Self.kill(child, after: lines, in: folder)) }
              try await check(folder, flushed.last ?? .max, &random, seed)
            }
          }
        }
        try await group.waitForAll()
      }
    }

    /// Runs the child until it has flushed some times.
    ///
    /// - Returns: the number of events that it has flushed last.
    private static func kill(_ name: String, after lines: Int, in folder: String) -> Int {
      let child = Process()
      child.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      child.arguments = ["--testing-library", "swift-testing", "--filter", "KilledProcessTests/\(name)"]
      child.environment = ProcessInfo.processInfo.environment.merging([variable: folder]) { $1 }
      let pipe = Pipe()
      child.standardOutput = pipe
      child.standardError = FileHandle.nullDevice
      guard (try? child.run()) != nil else { return .max }
      var text = ""
      var isKilled = false
      while true {
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { break }
        text += String(decoding: data, as: UTF8.self)
        if !isKilled, text.split(separator: "\n").count(where: { $0.hasPrefix("flushed ") }) >= lines {
          // What it goes on to say until it ends is counted, too.
          isKilled = Foundation.kill(child.processIdentifier, SIGKILL) == 0
        }
      }
      child.waitUntilExit()
      // A line that was cut is no receipt.
      let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return whole.last { $0.hasPrefix("flushed ") }.flatMap { Int($0.dropFirst("flushed ".count)) } ?? .max
    }
  }
#endif
