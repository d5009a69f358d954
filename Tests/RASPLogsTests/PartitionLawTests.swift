import Aggregate
import RASPJournal
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPLogs

@Suite("The law of a partition", .endsInTime)
struct PartitionLawTests {
  @Test(
    "LOG-30: random programs: what is committed is what is in the rows, who is told finds it there, nothing is lost",
    arguments: [false, true]
  )
  func random(isInFiles: Bool) async throws {
    let happened = Lock<Set<String>>([])
    for seed in 0..<UInt64(rounds(isInFiles ? 1_000 : 5_000)) {
      try await inNewFolder { folder in
        let log: any EventLog<Deposit> =
          try isInFiles
          ? FileLog<Deposit>(at: folder, partitions: 2, syncing: .bySystem) : MemoryLog<Deposit>(partitions: 2)
        let time = VirtualScheduler()
        try await withMovingTime(time) {
          try await LawProgram(log, seed: seed, time: time) { what in
            happened.withLock { _ = $0.insert(what) }
          }.run()
        }
        try await log.close()
      }
    }
    // Otherwise the programs show nothing.
    let kinds: Set = ["told", "committed", "shut down behind the newest entry"]
    #expect(kinds.subtracting(happened.withLock { $0 }) == [])
  }

  @Test("LOG-30: a batch that comes when the limit of a shutdown is over is in no record, and nobody is told of it")
  func lateBatch() async throws {
    let (isHeld, gate) = (Latch(), Latch())
    let log = BrokenLog(MemoryLog<Deposit>()) { log in
      // As one on servers, it gives a batch also if the task was cancelled meanwhile.
      log.reading = { base, partition, offset in
        LogEntries {
          let batches = Lock(base.entries(of: partition, after: offset).makeAsyncIterator())
          return { () async throws(LogError) -> LogBatch<Deposit>? in
            var reader = batches.withLock { $0 }
            let batch = try await reader.next()
            if batch?.offsets.upperBound == 3 {
              isHeld.open()
              await gate.wait()
            }
            return batch
          }
        }
      }
    }
    let time = VirtualScheduler()
    let first = try await LoggedSavings.opened(on: log, time: time)
    try await log.append((1...3).map { Deposit(account: "ada", amount: $0) }, to: 0)
    await isHeld.wait()
    let last = LogPosition(log: log.name, partition: 0, offset: 3)
    let waiting = Task { try await first.atLeast(last) }
    await withMovingTime(time) { await first.shutdown(within: .zero) }
    gate.open()
    await first.end(keepsRows: true).value
    let error = await #expect(throws: LogError.self) { try await waiting.value }
    guard case .notOwned? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await log.committed(0).offset == 0 && first.rowCount == 0)
    let second = try await LoggedSavings.opened(on: log.base)
    #expect(second["ada"].current?.count == 3)
    await second.shutdown()
  }

  @Test("LOG-30: rows that end before those of a record are put in: nobody is told that they are there")
  func endWhileTakingOver() async throws {
    let base = MemoryLog<Deposit>()
    let before = try await LoggedSavings.opened(on: base)
    try await before.deposit(1, to: "ada")
    await before.shutdown()
    let assignments = Subject<Set<Int>, Never>()
    let log = BrokenLog(base) { log in
      log.assigning = { _, _ in Observable<Set<Int>, Never>.just([]).merge(with: assignments.observable) }
    }
    let accounts = try await LoggedSavings.opened(on: log)
    let subscription = accounts.ownership.subscribe { [weak accounts] event in
      // What a shutdown does whose limit is over at this moment.
      guard case .restoring = event else { return }
      accounts?.end(keepsRows: true)
      accounts?.setup.rows.finish()
    }
    assignments.send([0])
    let error = await #expect(throws: LogError.self) {
      try await accounts.atLeast(LogPosition(log: log.name, partition: 0, offset: 1))
    }
    guard case .notOwned? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    subscription.cancel()
    await accounts.shutdown()
    let next = try await LoggedSavings.opened(on: base)
    #expect(next["ada"].current?.count == 1)
    await next.shutdown()
  }

  @Test("LOG-30: while an owner that was deposed has no rows, nobody is told that an entry is folded")
  func deposed() async throws {
    let time = VirtualScheduler()
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings.opened(on: log, orAfter: 1, time: time)
    let position = try await accounts.append(Deposit(account: "ada", amount: 1))
    try await accounts.folded(position)
    #expect(try await eventually { try await log.committed(0).offset == 1 })
    let isDeposed = Flag()
    let subscription = accounts.ownership.subscribe { event in if case .deposed = event { isDeposed.raise() } }
    let record = try await log.committed(0)
    try await log.commit(record.rows, at: 1, identified: record.identity, to: 0, replacing: record.revision)
    try await accounts.append(Deposit(account: "ada", amount: 2))
    #expect(await eventually { isDeposed.isRaised })
    #expect(accounts["ada"].current == nil)
    await #expect(throws: LogError.self) { try await accounts.folded(position) }
    await withMovingTime(time) {
      #expect(await eventually { (try? await accounts.folded(position)) != nil })
    }
    #expect(accounts["ada"].current != nil)
    subscription.cancel()
    await accounts.shutdown()
  }
}

/// The accounts of the partitions.
private let accounts = (0..<2).map { partition in
  (0..<100).map { "\($0)" }.filter { PartitionHasher.partition(of: $0, among: 2) == partition }.prefix(3).map { $0 }
}

/// An aggregator is shut down at a random moment with a random limit, while entries are appended and waited for; then
/// another one takes its place.
private final class LawProgram {
  private let log: any EventLog<Deposit>
  private let seed: UInt64
  private let time: VirtualScheduler
  private var random: SplitMix
  private let note: @Sendable (String) -> Void
  private let isStopped = Flag()
  /// The entries that were told as folded, with the number of those that were in the rows then.
  private let told = Log<(entry: LogPosition, found: Int)>()

  /// - Parameter note: is told what has happened.
  init(
    _ log: any EventLog<Deposit>,
    seed: UInt64,
    time: VirtualScheduler,
    note: @escaping @Sendable (String) -> Void
  ) {
    (self.log, self.seed, self.time, self.note) = (log, seed, time, note)
    random = SplitMix(seed: seed)
  }

  func run() async throws {
    let reaction: @Sendable (LogPosition, Deposit) async -> Void = { _, _ in await Task.yield() }
    let first = try await LoggedSavings.opened(
      on: log,
      every: .seconds(1_000),
      orAfter: [1, 20, 500, 1 << 40].randomElement(using: &random) ?? 1,
      time: time,
      reacting: Int.random(in: 0..<3, using: &random) == 0 ? reaction : nil
    )
    let appending = append([1, 10, 300].randomElement(using: &random) ?? 1)
    let waiting = (0..<2).map { wait(for: $0, in: first, step: Int.random(in: 1...40, using: &random)) }
    for _ in 0..<Int.random(in: 0...100, using: &random) { await Task.yield() }
    try await check(first)
    let limits: [Duration] = [.zero, .milliseconds(Int.random(in: 1...5_000, using: &random)), .seconds(10)]
    await first.shutdown(within: limits.randomElement(using: &random) ?? .zero)
    for _ in 0..<Int.random(in: 0...20, using: &random) { await Task.yield() }
    isStopped.raise()
    try await appending.value
    for task in waiting { await task.value }
    for (entry, found) in told.entries {
      note("told")
      #expect(found >= entry.offset, "seed \(seed): \(entry) was told, and the rows have \(found) entries")
    }
    try await check(first)
    let second = try await LoggedSavings.opened(on: log, time: time)
    var expected: [String: Savings] = [:]
    for partition in 0..<2 {
      let newest = LogPosition(log: log.name, partition: partition, offset: try await log.newest(in: partition))
      if try await log.committed(partition).offset < newest.offset { note("shut down behind the newest entry") }
      // The last commit of the first one may depose the second, which takes the partition back a moment later.
      #expect(await eventually { (try? await second.atLeast(newest)) != nil }, "seed \(seed)")
      expected.merge(Savings.folding(try await log.entries(in: partition))) { $1 }
    }
    #expect(await eventually { second.rows() == expected }, "seed \(seed): entries are lost, or there twice")
    await second.shutdown(within: .seconds(1 << 40))
    try await check(second)
  }

  /// What each record has is what its entries lead to.
  private func check(_ savings: LoggedSavings) async throws {
    for partition in 0..<2 {
      let record = try await log.committed(partition)
      guard case .rows(let rows) = try savings.setup.coding.decode(record.rows, of: "a record") else {
        Issue.record("seed \(seed): a record of another version")
        continue
      }
      if record.offset > 0 { note("committed") }
      let expected = Savings.folding(try await log.entries(in: partition).prefix(record.offset))
      let found = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.value) })
      #expect(found == expected, "seed \(seed): the record of partition \(partition) at \(record.offset)")
    }
  }

  private func append(_ count: Int) -> Task<Void, any Error> {
    Task.detached { [log, isStopped] in
      var amount = 0
      while !isStopped.isRaised, amount < 10_000 {
        for (partition, names) in accounts.enumerated() {
          let deposits = (amount..<amount + count).map { Deposit(account: names[$0 % names.count], amount: $0) }
          _ = try await log.append(deposits, to: partition)
        }
        amount += count
        // A log in memory never suspends.
        await Task.yield()
      }
    }
  }

  /// Waits for one entry after the other until the partition has ended.
  private func wait(for partition: Int, in rows: LoggedSavings, step: Int) -> Task<Void, Never> {
    Task.detached { [log, told] in
      var entry = LogPosition(log: log.name, partition: partition, offset: 1)
      while true {
        do throws(LogError) {
          if step.isMultiple(of: 2) { try await rows.atLeast(entry) } else { try await rows.folded(entry) }
        } catch {
          return
        }
        let found = accounts[partition].reduce(0) { $0 + (rows[$1].current?.count ?? 0) }
        told.note((entry, found))
        entry = LogPosition(log: log.name, partition: partition, offset: entry.offset + step)
        await Task.yield()
      }
    }
  }
}
