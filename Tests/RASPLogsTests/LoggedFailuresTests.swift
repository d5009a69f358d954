import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPLogs

@Suite("An aggregator over a log that fails", .endsInTime)
struct LoggedFailuresTests {
  @Test("LOG-15: a commit that has failed is tried again after a pause, and not at once")
  func commitPause() async throws {
    let time = VirtualScheduler()
    let attempts = Lock(0)
    let fails = Lock(false)
    let log = BrokenLog(MemoryLog<Deposit>()) { log in
      log.committing = { (base, rows, offset, partition, revision) async throws(LogError) in
        attempts.withLock { $0 += 1 }
        if fails.withLock({ $0 }) { throw .unavailable(log: base.name, reason: "a test") }
        return try await base.commit(rows, at: offset, to: partition, replacing: revision)
      }
    }
    let accounts = try await LoggedSavings.opened(on: log, orAfter: 1, time: time)
    fails.withLock { $0 = true }
    try await accounts.deposit(1, to: "ada")
    for attempt in 2...4 {
      #expect(await eventually { attempts.withLock { $0 } >= attempt && !time.pending.isEmpty })
      for _ in 0..<1_000 { await Task.yield() }
      #expect(attempts.withLock { $0 } == attempt)
      time.advance(by: .seconds(1))
    }
    fails.withLock { $0 = false }
    await withMovingTime(time) {
      #expect(await eventually { ((try? await log.committed(0).offset) ?? 0) == 1 })
    }
    await accounts.shutdown()
  }

  @Test("while there is nothing to commit, no timer runs")
  func idleTimers() async throws {
    let time = VirtualScheduler()
    let log = MemoryLog<Deposit>(partitions: 4)
    let accounts = try await LoggedSavings.opened(on: log, every: .nanoseconds(1), time: time)
    for _ in 0..<1_000 { await Task.yield() }
    #expect(time.pending.isEmpty)
    try await accounts.deposit(1, to: "ada")
    let partition = PartitionHasher.partition(of: "ada", among: 4)
    await withMovingTime(time) {
      #expect(await eventually { ((try? await log.committed(partition).offset) ?? 0) == 1 })
    }
    #expect(await eventually { time.pending.isEmpty })
    await accounts.shutdown()
  }

  @Test("times that are too long to be counted are as good as never")
  func longTimes() async throws {
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings(
      by: \.account,
      initial: { _ in Savings() },
      on: log,
      committingEvery: .seconds(Int64.max),
      retryingAfter: .seconds(Int64.max)
    )
    try await accounts.deposit(1, to: "ada")
    #expect(try await log.committed(0).offset == 0)
    await accounts.shutdown(within: .seconds(Int64.max))
    #expect(try await log.committed(0).offset == 1)
  }

  @Test("over a log that is closed there is none")
  func closedLog() async throws {
    let log = MemoryLog<Deposit>(partitions: 2)
    try await log.close()
    let error = await #expect(throws: LogError.self) { try await LoggedSavings.opened(on: log) }
    guard case .closed("memory")? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("LOG-15: a log that cannot be reached is asked again until the task is cancelled", arguments: [true, false])
  func unreachableLog(isAssigned: Bool) async throws {
    let assignments = Subject<Set<Int>, Never>()
    let time = VirtualScheduler()
    let attempts = Lock(0)
    let log = BrokenLog(MemoryLog<Deposit>()) { log in
      log.recorded = { (base, _) async throws(LogError) in
        attempts.withLock { $0 += 1 }
        throw .unavailable(log: base.name, reason: "a test")
      }
      if isAssigned { return }
      log.assigning = { _, _ in
        attempts.withLock { $0 += 3 }
        return assignments.observable
      }
    }
    let opening = Task { try await LoggedSavings.opened(on: log, time: time) }
    await withMovingTime(time) {
      #expect(await eventually { attempts.withLock { $0 } >= 3 })
    }
    opening.cancel()
    let error = await #expect(throws: LogError.self) { try await opening.value }
    guard case .unavailable? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("LOG-11: an owner that misses entries which its successor has deleted was deposed")
  func missingEntries() async throws {
    let time = VirtualScheduler()
    let isDeleted = Lock(false)
    let heard = Lock<[String]>([])
    let base = MemoryLog<Deposit>()
    let log = BrokenLog(base) { log in
      log.reading = { base, partition, offset in
        base.entries(of: partition, after: offset).changed { batch throws(LogError) in
          if isDeleted.exchange(with: false) { throw .missing(log: "memory", partition: 0, offset: offset + 1) }
          return batch
        }
      }
    }
    let accounts = try await LoggedSavings.opened(on: log, time: time)
    let subscription = accounts.ownership.subscribe { event in heard.withLock { $0.append("\(event)") } }
    let record = try await base.committed(0)
    try await base.commit(record.rows, at: record.offset, to: 0, replacing: record.revision)
    isDeleted.withLock { $0 = true }
    let position = try await accounts.append(Deposit(account: "ada", amount: 2))
    await withMovingTime(time) {
      #expect(await eventually { heard.withLock { $0.count } >= 3 })
    }
    #expect(heard.withLock { $0 } == ["deposed(partition: 0)", "restoring(partition: 0)", "live(partition: 0)"])
    try await accounts.folded(position)
    #expect(accounts["ada"].current?.sum == 2)
    subscription.cancel()
    await accounts.shutdown()
  }

  @Test("LOG-12: entries that are gone from the log end the partition")
  func goneEntries() async throws {
    let log = BrokenLog(MemoryLog<Deposit>()) { log in
      log.reading = { base, partition, offset in
        base.entries(of: partition, after: offset).changed { _ throws(LogError) in
          throw .missing(log: "memory", partition: 0, offset: offset + 1)
        }
      }
    }
    try await log.append([Deposit(account: "ada", amount: 1)], to: 0)
    let error = try await LoggedSavings.failure(on: log)
    guard case .missing(_, 0, 1)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("LOG-12: a record that was changed is refused, and never traps", arguments: 0..<8)
  func changedRecords(seed: UInt64) async throws {
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings.opened(on: log)
    for number in 1...20 { try await accounts.append(Deposit(account: "\(number)", amount: number)) }
    try await accounts.deposit(1, to: "last")
    await accounts.shutdown()
    let rows = accounts.rows()
    var random = SplitMix(seed: seed)
    var record = try await log.committed(0)
    for round in 0..<rounds(200) {
      var bytes = record.rows
      switch round % 3 {
      case 0: bytes.removeLast(.random(in: 1..<bytes.count, using: &random))
      case 1: bytes[.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      default: bytes.insert(.random(in: .min ... .max, using: &random), at: .random(in: bytes.indices, using: &random))
      }
      let revision = try await log.commit(bytes, at: record.offset, to: 0, replacing: record.revision)
      let error = try await LoggedSavings.failure(on: log)
      guard case .files? = error else {
        Issue.record("seed \(seed), round \(round): \(String(describing: error))")
        return
      }
      let broken = try await log.committed(0)
      let restored = try await log.commit(record.rows, at: record.offset, to: 0, replacing: broken.revision)
      #expect(revision != restored)
      record = try await log.committed(0)
    }
    let last = try await LoggedSavings.opened(on: log)
    #expect(last.rows() == rows)
    await last.shutdown()
  }
}

@Suite("An owner whose fold is slow", .endsInTime)
struct SlowFoldTests {
  /// A row that waits at a gate when it is told to.
  private struct Held: AggregateState, Codable {
    static let gate = Gate(patience: longestWait)
    static let isHeld = Flag()
    var count = 0

    mutating func apply(_ deposit: Deposit) {
      if deposit.amount < 0 {
        Self.isHeld.raise()
        Self.gate.hold()
      }
      count += 1
    }
  }

  @Test("LOG-16: an owner reads no more than a bounded number of entries ahead of the thread that folds")
  func bounded() async throws {
    let entries = 80 * 1_024
    let batches = Lock(0)
    let base = MemoryLog<Deposit>()
    let log = BrokenLog(base) { log in
      log.reading = { base, partition, offset in
        base.entries(of: partition, after: offset).changed { batch throws(LogError) in
          batches.withLock { $0 += 1 }
          return batch
        }
      }
    }
    let rows = try await LoggedAggregator<String, Held>(by: \.account, initial: { _ in Held() }, on: log)
    async let holder: Void = onThread { rows.setup.rows.send(Deposit(account: "ada", amount: -1)) }
    #expect(await eventually { Held.isHeld.isRaised })
    let last = try await base.append(Array(repeating: Deposit(account: "ada", amount: 1), count: entries), to: 0)
    #expect(await eventually { batches.withLock { $0 } >= 64 })
    for _ in 0..<1_000 { await Task.yield() }
    #expect(batches.withLock { $0 } <= 66)
    Held.gate.open()
    await holder
    try await rows.folded(LogPosition(log: log.name, partition: 0, offset: last))
    #expect(rows["ada"].current?.count == entries + 1)
    await rows.shutdown()
  }
}
