import Aggregate
import Foundation
import JournalTestSupport
import RASPJournal
import RASPLogs
import RASPLogsTesting
import RASPTesting
import Streams
import TestSupport
import Testing

/// An event as others write it: without an amount, a reader does not understand it.
private struct LooseDeposit: Codable {
  var account: String
  var amount: Int?
}

@Suite("An entry that cannot be used", .endsInTime)
struct PoisonTests {
  /// Writes entries of which the second and the last cannot be read.
  private func write(to folder: String, partitions: Int = 1) async throws {
    let log = try FileLog<LooseDeposit>(
      at: folder,
      partitions: partitions,
      coding: .codable(version: 1, named: "Deposit")
    )
    let partition = PartitionHasher.partition(of: "ada", among: partitions)
    for amount in [1, nil, 2, 4, nil] as [Int?] {
      try await log.append([LooseDeposit(account: "ada", amount: amount)], to: partition)
    }
    if partitions > 1 {
      let other = try #require(
        (0..<100).map(String.init).first { PartitionHasher.partition(of: $0, among: partitions) != partition }
      )
      try await log.append(
        [LooseDeposit(account: other, amount: 7)],
        to: PartitionHasher.partition(of: other, among: partitions)
      )
    }
    try await log.close()
  }

  private func open(_ folder: String, _ policy: PoisonPolicy) throws -> FileLog<Deposit> {
    try FileLog<Deposit>(at: folder, coding: .codable(version: 1, named: "Deposit"), onPoison: policy)
  }

  @Test("LOG-17: by the standard it ends its partition, with its offset, and the other partitions live")
  func stop() async throws {
    try await inNewFolder { folder in
      try await write(to: folder, partitions: 3)
      let log = try open(folder, .stop)
      let accounts = try await LoggedSavings.opened(on: log)
      let partition = PartitionHasher.partition(of: "ada", among: 3)
      guard case .unreadable(_, partition, 2, _)? = accounts.failures[partition], accounts.failures.count == 1 else {
        Issue.record("\(accounts.failures)")
        return
      }
      #expect(accounts.rows().count == 1)
      #expect("\(accounts.failures)".contains("entry 2"))
      // What cannot be folded is not taken.
      await #expect {
        try await accounts.append(Deposit(account: "ada", amount: 1))
      } throws: { error in
        if case LogError.unreadable(_, partition, 2, _) = error { true } else { false }
      }
      #expect(try await log.newest(in: partition) == 5)
      await accounts.shutdown()
      try await log.close()
    }
  }

  @Test("LOG-17: it is skipped, counted and reported, also after a restart")
  func skip() async throws {
    try await inNewFolder { folder in
      try await write(to: folder)
      for round in 1...2 {
        let log = try open(folder, .skip)
        let accounts = try await LoggedSavings.opened(on: log)
        #expect(accounts.rows() == Savings.folding([1, 2, 4].map { Deposit(account: "ada", amount: $0) }))
        #expect(accounts.skippedCount == (round == 1 ? 2 : 0), "the record has them")
        #expect(accounts.failures.isEmpty)
        await accounts.shutdown()
        #expect(try await log.committed(0).offset == 5)
        try await log.close()
      }
    }
  }

  @Test("LOG-17: a reader gets what it can, and is told what it cannot")
  func reader() async throws {
    try await inNewFolder { folder in
      try await write(to: folder)
      let log = try open(folder, .skip)
      var batches = log.entries(of: 0, after: 0).makeAsyncIterator()
      var (entries, skipped, last) = ([Int](), [Int](), 0)
      while last < 5, let batch = try await batches.next() {
        #expect(batch.offsets.lowerBound == last + 1)
        last = batch.offsets.upperBound
        entries += batch.entries.map(\.offset)
        skipped += batch.skipped.map(\.position.offset)
      }
      #expect(entries == [1, 3, 4])
      #expect(skipped == [2, 5])
      try await log.close()
    }
  }

  @Test("LOG-17: an entry in the wrong partition goes the same way")
  func misplaced() async throws {
    let log = MemoryLog<Deposit>(partitions: 2, onPoison: .skip)
    let right = PartitionHasher.partition(of: "ada", among: 2)
    let reactions = Lock(0)
    try await log.append([Deposit(account: "ada", amount: 1)], to: 1 - right)
    try await log.append([Deposit(account: "ada", amount: 2)], to: right)
    let accounts = try await LoggedSavings.opened(on: log) { _, _ in reactions.withLock { $0 += 1 } }
    #expect(accounts.failures.isEmpty)
    #expect(accounts["ada"].current?.sum == 2)
    #expect(accounts.skippedCount == 1)
    #expect(await eventually { reactions.withLock { $0 } > 0 })
    await accounts.shutdown()
    #expect(reactions.withLock { $0 } == 1)
    #expect(try await log.committed(1 - right).offset == 1)
  }

  @Test("LOG-18: entries that were deleted are no hole, and a newest one that was deleted is not waited for")
  func deleted() async throws {
    let base = MemoryLog<Deposit>()
    try await base.append((1...20).map { Deposit(account: "ada", amount: $0) }, to: 0)
    let gone: Set<Int> = [3, 4, 11, 19, 20]
    let log = BrokenLog(base) { log in
      log.deleted = { _ in [3...4, 11...11, 19...20] }
      // Batches of one entry, without the deleted ones.
      log.reading = { base, partition, offset in
        LogEntries {
          let last = Lock(offset)
          return { () async throws(LogError) -> LogBatch<Deposit>? in
            while true {
              let start = last.withLock { $0 }
              var batches = base.entries(of: partition, after: start).makeAsyncIterator()
              guard let entry = try await batches.next()?.entries.first else { return nil }
              last.withLock { $0 = entry.offset }
              if !gone.contains(entry.offset) {
                return LogBatch(offsets: entry.offset...entry.offset, entries: [entry])
              }
            }
          }
        }
      }
    }
    let accounts = try await LoggedSavings.opened(on: log)
    #expect(accounts.failures.isEmpty)
    #expect(accounts["ada"].current?.sum == (1...20).filter { !gone.contains($0) }.reduce(0, +))
    await accounts.shutdown()
    #expect(try await base.committed(0).offset == 18)
  }

  @Test("LOG-18: a log that does not get on ends the opening, and the error names what is waited for")
  func stalled() async throws {
    let base = MemoryLog<Deposit>()
    try await base.append([Deposit(account: "ada", amount: 1)], to: 0)
    let log = BrokenLog(base) { log in
      // It says that there is an entry, and never gives it.
      log.reading = { base, partition, _ in base.entries(of: partition, after: 1) }
    }
    let time = VirtualScheduler()
    let opening = Task {
      try await LoggedSavings(
        by: \.account,
        initial: { _ in Savings() },
        on: log,
        restoringWithin: .seconds(5),
        scheduler: time
      )
    }
    let error = await withMovingTime(time) { await #expect(throws: LogError.self) { try await opening.value } }
    guard case .unavailable(_, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("partition 0 behind entry 0"))
  }

  @Test("LOG-19: what nothing has subscribed to is written in every build")
  func unheard() async throws {
    let texts = try await UnheardTexts.written(containing: "the log unheard") { texts in
      let log = MemoryLog<Deposit>(partitions: 2, name: "unheard")
      try await log.append([Deposit(account: "ada", amount: 1)], to: 1 - PartitionHasher.partition(of: "ada", among: 2))
      let accounts = try await LoggedSavings.opened(on: log)
      #expect(await eventually { !texts().isEmpty })
      await accounts.shutdown()
    }
    #expect(!texts.isEmpty)
  }

  @Test("LOG-20: a shutdown does not wait for the reactions to a whole batch, and those that are left come again")
  func reactions() async throws {
    let log = MemoryLog<Deposit>()
    let (isHeld, isCancelled) = (Latch(), Latch())
    let count = Counter()
    let accounts = try await LoggedSavings.opened(on: log) { _, _ in
      if count.increment() < 3 { return }
      isHeld.open()
      // The shutdown cancels it, and waits for it.
      await withTaskCancellationHandler {
        await isCancelled.wait()
      } onCancel: {
        isCancelled.open()
      }
    }
    try await log.append((1...1_000).map { Deposit(account: "ada", amount: $0) }, to: 0)
    await isHeld.wait()
    await accounts.shutdown()
    #expect(count.value == 3)
    #expect(try await log.committed(0).offset == 0)
    let next = try await LoggedSavings.opened(on: log) { _, _ in count.increment() }
    #expect(next["ada"].current?.count == 1_000)
    // A shutdown would leave those of them for the next owner that are not begun.
    #expect(await eventually { count.value >= 1_003 })
    await next.shutdown()
    #expect(count.value == 1_003)
    #expect(try await log.committed(0).offset == 1_000)
  }

  @Test("LOG-20: a shutdown has a limit of its own")
  func shutdownLimit() async throws {
    let (time, isHeld, hold) = (VirtualScheduler(), Latch(), Latch())
    let log = BrokenLog(MemoryLog<Deposit>()) { log in
      log.committing = { (base, rows, offset, partition, revision) async throws(LogError) in
        if offset > 0 {
          isHeld.open()
          await hold.wait()
        }
        return try await base.commit(rows, at: offset, to: partition, replacing: revision)
      }
    }
    let accounts = try await LoggedSavings.opened(on: log, time: time)
    try await accounts.deposit(1, to: "ada")
    let end = Task { await accounts.shutdown(within: .seconds(3)) }
    await isHeld.wait()
    await withMovingTime(time) { await end.value }
    hold.open()
  }
}
