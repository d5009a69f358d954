import Aggregate
import RASPJournal
import RASPLogs
import RASPLogsTesting
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("A log that went back and has grown again", .endsInTime)
struct WentBackTests {
  private func deposits(_ amounts: ClosedRange<Int>) -> [Deposit] {
    amounts.map { Deposit(account: "ada", amount: $0) }
  }

  private func isWentBack(_ error: any Error, newest: Int, wanted: Int) -> Bool {
    if case LogError.wentBack("memory", 0, newest, wanted) = error { true } else { false }
  }

  @Test("LOG-12: an owner that comes later does not fold over what is not there any more", arguments: [10, 15])
  func laterOwner(newest: Int) async throws {
    let log = MemoryLog<Deposit>()
    try await log.append(deposits(1...10), to: 0)
    let accounts = try await LoggedSavings.opened(on: log)
    await accounts.shutdown()
    #expect(try await log.committed(0).offset == 10)
    log.goBack(0, to: 5)
    try await log.append(deposits(101...(95 + newest)), to: 0)
    let rows = try await log.committed(0).rows
    let failure = try #require(await LoggedSavings.failure(on: log))
    #expect(isWentBack(failure, newest: newest, wanted: 10))
    #expect(try await log.committed(0).rows == rows)
  }

  @Test("LOG-12: an owner that was live at the time commits nothing that is wrong")
  func presentOwner() async throws {
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings.opened(on: log)
    let failures = Lock<[any Error]>([])
    let subscription = accounts.ownership.subscribe { change in
      if case .failed(0, let error) = change { failures.withLock { $0.append(error) } }
    }
    let last = try await log.append(deposits(1...10), to: 0)
    try await accounts.folded(LogPosition(log: log.name, partition: 0, offset: last))
    log.goBack(0, to: 5)
    try await log.append(deposits(101...110), to: 0)
    #expect(await eventually { failures.withLock { $0.count } == 1 })
    // The owner looks before the entries are appended that are new, or behind them.
    #expect(
      failures.withLock { $0 }.allSatisfy {
        isWentBack($0, newest: 5, wanted: 10) || isWentBack($0, newest: 15, wanted: 10)
      }
    )
    #expect(await eventually { accounts.rows().isEmpty })
    subscription.cancel()
    await accounts.shutdown()
    #expect(try await log.committed(0).offset == 0)
  }

  @Test("LOG-12: who appends is told that the log has lost what was there")
  func append() async throws {
    let base = MemoryLog<Deposit>(partitions: 2)
    let log = BrokenLog(base) { log in
      // The aggregator owns nothing, so only its own appends tell it.
      log.assigning = { _, _ in Observable { $0.send([]) } }
    }
    let accounts = try await LoggedSavings.opened(on: log)
    let partition = PartitionHasher.partition(of: "ada", among: 2)
    for deposit in deposits(1...10) { try await accounts.append(deposit) }
    base.goBack(partition, to: 5)
    for offset in [6, 7] {
      await #expect {
        try await accounts.append(Deposit(account: "ada", amount: 1))
      } throws: { error in
        if case LogError.wentBack("memory", partition, offset, 10) = error { true } else { false }
      }
    }
    let description = "\(LogError.wentBack(log: "memory", partition: 0, newest: 15, wanted: 10))"
    #expect(description.contains("another one is in its place"))
    await accounts.shutdown()
  }

  @Test("appends at once come back in any order, and are no sign of a log that went back")
  func concurrentAppends() async throws {
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings.opened(on: log)
    try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          for amount in 1...50 { try await accounts.append(Deposit(account: "\(number)", amount: amount)) }
        }
      }
      try await group.waitForAll()
    }
    try await accounts.folded(LogPosition(log: log.name, partition: 0, offset: 1_000))
    await accounts.shutdown()
  }

  @Test("LOG-12: random logs that go back: an owner has the rows of the log, or says so", arguments: 0..<4)
  func randomLosses(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    for round in 0..<rounds(200) {
      let log = MemoryLog<Deposit>()
      var (entries, amount) = ([Deposit](), 0)
      var isWrong = false
      for _ in 0..<8 {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          let accounts = try await LoggedSavings.opened(on: log)
          #expect(accounts.failures.isEmpty != isWrong, "seed \(seed), round \(round)")
          let rows = isWrong ? [:] : Savings.folding(entries)
          #expect(accounts.rows() == rows, "seed \(seed), round \(round)")
          await accounts.shutdown()
        case 1:
          let count = Int.random(in: 1...5, using: &random)
          let new = deposits(amount + 1...amount + count)
          (entries, amount) = (entries + new, amount + count)
          try await log.append(new, to: 0)
        default:
          let left = Int.random(in: 0...entries.count, using: &random)
          entries.removeLast(entries.count - left)
          log.goBack(0, to: left)
          if left < (try await log.committed(0).offset) { isWrong = true }
        }
      }
      try await log.close()
    }
  }
}
