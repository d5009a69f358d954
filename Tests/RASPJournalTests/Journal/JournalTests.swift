import Aggregate
import Foundation
import JournalTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A journal")
struct JournalTests {
  @Test("an aggregator goes on from where the one before was, and the numbers go on")
  func goesOn() async throws {
    let disk = SimulatedDisk()
    for round in 0..<4 {
      let journal = try Journal(on: disk)
      #expect(journal.recovery.event == round * 25)
      let aggregator = try Aggregator(continuing: journal)
      #expect(aggregator.snapshot == StoreRun.state(after: round * 25))
      aggregator.send(round * 25 + 1...round * 25 + 25)
      try await journal.close()
      #expect(journal.writtenCount == round * 25 + 25)
    }
    #expect(disk.openCount == 0)
  }

  @Test(
    "what was flushed survives a failure of the power at that moment",
    arguments: [SyncPolicy.eachBatch, .every(.seconds(1_000)), .bySystem]
  )
  func flush(policy: SyncPolicy) async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk) { $0.policy = policy }
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...13)
    try await journal.flush()
    let left = disk.contents(afterPowerFailure: { _ in 0 })
    let state = aggregator.snapshot
    let restored = try Journal(on: SimulatedDisk(left))
    #expect(try Aggregator(continuing: restored).snapshot == state)
    #expect(restored.recovery.event == 13)
    try await restored.close()
    try await journal.close()
  }

  @Test("random numbers of events and flushes, with a failure of the power behind a flush")
  func randomFlushes() async throws {
    for seed in 0..<rounds(1_000) {
      var random = SplitMix(seed: UInt64(seed))
      let disk = SimulatedDisk()
      let journal = try Journal(on: disk) { setup in
        setup.plan = StoreRun.random(&random).plan
        setup.capacity = 16
      }
      let aggregator = try Aggregator(continuing: journal)
      var sent = 0
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let count = Int.random(in: 1...40, using: &random)
        aggregator.send(sent + 1...sent + count)
        sent += count
        try await journal.flush()
        let left = disk.contents(afterPowerFailure: { Int.random(in: 0..<$0, using: &random) })
        let restored = try Journal(on: SimulatedDisk(left))
        #expect(restored.recovery.event == sent, "seed \(seed)")
        #expect(try Aggregator(continuing: restored).snapshot == StoreRun.state(after: sent), "seed \(seed)")
        try await restored.close()
      }
      try await journal.close()
    }
  }

  @Test("several threads send: the journal has the events in the order in which they were folded")
  func threads() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk) { $0.capacity = 64 }
    let aggregator = try Aggregator(continuing: journal)
    await Threads.run(count: 4) { thread in
      for number in 0..<rounds(20_000) { aggregator.send(.word("\(thread) \(number)")) }
    }
    #expect(await eventually { aggregator.pendingCount == 0 })
    try await journal.close()
    let restored = try Journal(on: disk)
    #expect(try Aggregator(continuing: restored).snapshot == aggregator.snapshot)
    try await restored.close()
  }

  @Test("an event that is sent while another one is folded has that one as its cause, by its number in the journal")
  func causes() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk)
    let aggregator = try Aggregator(continuing: journal)
    let token = aggregator.select(\.sum).dropFirst().subscribe { sum in
      if sum < 3 { aggregator.send(.add(1)) }
    }
    aggregator.send(.word("one"))
    aggregator.send(.add(1))
    try await journal.flush()
    var causes: [Int] = []
    for try await entry in journal.events(after: 0) {
      causes.append(entry.cause.number)
      if entry.number == 4 { break }
    }
    #expect(causes == [0, 0, 2, 3])
    token.cancel()
    try await journal.close()

    // Lanes begin anew in each process.
    let next = try Journal(on: disk)
    for try await entry in next.events(after: 0) {
      #expect(entry.cause == .unknown)
      if entry.number == 4 { break }
    }
    try await next.close()
  }

  @Test("a second journal, a second aggregator and one after the end are refused by name")
  func refusals() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk)
    #expect(
      description { try Journal(on: disk) } == "j: another journal has the folder open. Close it, or end its process."
    )
    let aggregator = try Aggregator(continuing: journal)
    #expect(
      description { try Aggregator(continuing: journal) }
        == "j: another aggregator continues the journal. Use that one, or open another folder."
    )
    aggregator.send(.add(1))
    try await journal.close()
    try await journal.close()
    #expect(description { try Aggregator(continuing: journal) } == "j: the journal is closed. Open the folder again.")
    #expect(!aggregator.send(.add(1)) && aggregator.snapshot.sum == 1)
    let next = try Journal(on: disk)
    #expect(next.recovery.event == 1)
    try await next.close()
  }

  private func description<Result>(_ body: () throws -> Result) -> String? {
    (#expect(throws: JournalError.self) { _ = try body() })?.description
  }

  @Test("without close, the journal ends when it and its aggregator are released, and has all events")
  func released() async throws {
    let disk = SimulatedDisk()
    do {
      let aggregator: Aggregator<Total>
      do {
        let journal = try Journal(on: disk)
        aggregator = try Aggregator(continuing: journal)
      }
      aggregator.send(1...30)
    }
    #expect(await eventually { disk.openCount == 0 })
    let journal = try Journal(on: disk)
    #expect(journal.recovery.event == 30)
    try await journal.close()
  }

  @Test("an event that cannot be encoded is told with its number, and all others are there")
  func unwritable() async throws {
    let disk = SimulatedDisk()
    let coding = RecordingCoding<Total>(
      states: .byHand,
      events: Coding(version: 1, named: "TotalEvent") { event, bytes in
        if event == .word("bad") { throw TestError(code: 1) }
        _ = try Coding<TotalEvent>.byHand.encode(event, &bytes)
      } decode: { bytes in
        throw TestError(code: Int(try bytes.readByte()))
      }
    )
    let journal = try Journal(at: "j", startingWith: Total(), coding: coding, JournalSetup(), on: disk)
    let aggregator = try Aggregator(continuing: journal)
    let failures = Lock<[any Error]>([])
    let diagnostics = Lock<[AggregatorDiagnostic]>([])
    let subscriptions = [
      journal.failures.subscribe { error in failures.withLock { $0.append(error) } },
      aggregator.diagnostics.subscribe { diagnostic in diagnostics.withLock { $0.append(diagnostic) } },
    ]
    aggregator.send(.add(1))
    aggregator.send(.add(2))
    aggregator.send(.word("bad"))
    aggregator.send(.add(4))
    try await journal.flush()
    #expect(journal.failure == nil && journal.writtenCount == 4)
    #expect(await eventually { failures.withLock { $0.count } == 1 && diagnostics.withLock { $0.count } == 1 })
    guard let failure = failures.withLock({ $0.first }), case JournalError.unwritable(_, 3, _) = failure else {
      Issue.record("\(failures.withLock { $0 })")
      return
    }
    #expect(aggregator.snapshot == Total(sum: 7, words: ["bad"]))
    try await journal.close()
    let next = try Journal(on: disk)
    #expect(next.recovery.event == 4)
    #expect(try next.state(at: .event(4)) == Total(sum: 7, words: []))
    var numbers: [Int] = []
    for try await entry in next.events(after: 0) {
      numbers.append(entry.number)
      if entry.number == 4 { break }
    }
    #expect(numbers == [1, 2, 4])
    try await next.close()
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("a folder that is removed meanwhile: flush is no receipt, and close tells")
  func removedFolder() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk)
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...3)
    try await journal.flush()
    for name in disk.contents.keys { try disk.remove(name) }
    aggregator.send(4...6)
    await #expect(throws: JournalError.self) { try await journal.flush() }
    let error = await #expect(throws: JournalError.self) { try await journal.close() }
    guard case .system("j/00000000000000000001.events", "fstat", ENOENT)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "a failing disk ends the journal, visibly, and the aggregator goes on",
    arguments: ["write", "sync", "create", "rename"]
  )
  func failingDisk(call: String) async throws {
    let disk = SimulatedDisk { name, number in name == call && number > 6 ? .error(ENOSPC) : nil }
    let journal = try Journal(on: disk)
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...20)
    #expect(await eventually { journal.failure != nil || disk.calls.count > 1_000_000 })
    guard case .system(_, call, ENOSPC)? = journal.failure else {
      Issue.record("\(String(describing: journal.failure))")
      return
    }
    aggregator.send(21...100)
    #expect(aggregator.snapshot == StoreRun.state(after: 100))
    await #expect(throws: JournalError.self) { try await journal.flush() }
    #expect(disk.openCount == 0)
    // Another aggregator gets the reason, too.
    let error = #expect(throws: JournalError.self) { try Aggregator(continuing: journal) }
    guard case .system(_, call, ENOSPC)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
