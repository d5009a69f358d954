import Aggregate
import RASPJournal
import RASPLogs
import RASPLogsTesting
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("An aggregator over a log", .endsInTime)
struct LoggedAggregatorTests {
  @Test("LOG-10: rows are folded from the log, selected, and there again after a restart")
  func restart() async throws {
    try await inNewFolder { folder in
      var log = try FileLog<Deposit>(at: folder, partitions: 2)
      var accounts = try await LoggedSavings.opened(on: log)
      let sums = Lock<[Int?]>([])
      let subscription = accounts["ada"].select(\.sum).subscribe { sum in sums.withLock { $0.append(sum) } }
      for amount in 1...3 { try await accounts.deposit(amount, to: "ada") }
      try await accounts.deposit(7, to: "bob")
      #expect(sums.withLock { $0 } == [nil, 1, 3, 6])
      #expect(accounts["bob"].current?.sum == 7)
      let rows = accounts.rows()
      // The process ends without a word.
      subscription.cancel()
      try await log.close()
      log = try FileLog(at: folder)
      accounts = try await LoggedSavings.opened(on: log)
      #expect(accounts.rows() == rows)
      try await accounts.deposit(4, to: "ada")
      #expect(accounts["ada"].current?.sum == 10)
      await accounts.shutdown()
      try await log.close()
    }
  }

  @Test("LOG-10: after a shutdown, the next owner has nothing to fold again")
  func shutdown() async throws {
    let log = MemoryLog<Deposit>(partitions: 2)
    let accounts = try await LoggedSavings.opened(on: log)
    for number in 1...20 { try await accounts.append(Deposit(account: "\(number)", amount: number)) }
    for partition in 0..<2 {
      let newest = try await log.newest(in: partition)
      try await accounts.folded(LogPosition(log: log.name, partition: partition, offset: newest))
    }
    await accounts.shutdown()
    #expect(accounts.rowCount == 20, "the rows stay readable")
    for partition in 0..<2 {
      #expect(try await log.committed(partition).offset == log.newest(in: partition))
    }
    let reactions = Lock(0)
    let next = try await LoggedSavings.opened(on: log) { _, _ in reactions.withLock { $0 += 1 } }
    #expect(next.rows() == accounts.rows())
    #expect(reactions.withLock { $0 } == 0)
    await next.shutdown()
  }

  @Test("the record is committed after some time, and after some entries")
  func committing() async throws {
    let time = VirtualScheduler()
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings.opened(on: log, every: .seconds(10), orAfter: 5, time: time)
    for amount in 1...4 { try await accounts.deposit(amount, to: "ada") }
    #expect(try await log.committed(0).offset == 0)
    #expect(await eventually { !time.pending.isEmpty })
    time.advance(by: .seconds(10))
    #expect(try await eventually { try await log.committed(0).offset == 4 })
    for amount in 1...5 { try await accounts.deposit(amount, to: "ada") }
    #expect(try await eventually { try await log.committed(0).offset == 9 })
    await accounts.shutdown()
  }

  @Test("LOG-14: members divide the partitions, and a partition that moves takes its rows along")
  func members() async throws {
    let log = MemoryLog<Deposit>(partitions: 4)
    let time = VirtualScheduler()
    let first = try await LoggedSavings.opened(on: log, as: "first", time: time)
    try await first.append(contentsOf: (0..<40).map { Deposit(account: "\($0)", amount: $0) })
    let second = try await LoggedSavings.opened(on: log, as: "second", time: time)
    #expect(first.partitions.count == 2 && second.partitions.count == 2)
    #expect(first.partitions.isDisjoint(with: second.partitions))
    let expected = Savings.folding((0..<40).map { Deposit(account: "\($0)", amount: $0) })
    func isDivided() -> Bool {
      let (left, right) = (first.rows(), second.rows())
      return left.count + right.count == 40 && left.merging(right) { $1 } == expected
    }
    #expect(await eventually { isDivided() })
    // Appending works everywhere; what is folded can be asked for only where the row is.
    let elsewhere = try #require(second.rows().keys.first)
    let position = try await first.append(Deposit(account: elsewhere, amount: 1))
    await #expect(throws: LogError.self) { try await first.folded(position) }
    try await second.folded(position)
    await first.shutdown()
    #expect(await eventually { second.rowCount == 40 })
    #expect(second.partitions.count == 4)
    await second.shutdown()
  }

  @Test("LOG-11: an owner that was deposed cannot commit, drops its rows, and takes the partition back")
  func deposed() async throws {
    let time = VirtualScheduler()
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings.opened(on: log, orAfter: 1, time: time)
    try await accounts.deposit(1, to: "ada")
    #expect(try await eventually { try await log.committed(0).offset == 1 })
    let heard = Lock<[String]>([])
    let subscription = accounts.ownership.subscribe { event in heard.withLock { $0.append("\(event)") } }
    let record = try await log.committed(0)
    let other = try await log.commit(
      record.rows,
      at: record.offset,
      identified: record.identity,
      to: 0,
      replacing: record.revision
    )
    try await accounts.append(Deposit(account: "ada", amount: 2))
    #expect(await eventually { heard.withLock { $0 } == ["deposed(partition: 0)"] })
    #expect(accounts.rowCount == 0)
    #expect(try await log.committed(0).revision == other)
    await withMovingTime(time) {
      #expect(await eventually { heard.withLock { $0.count } >= 3 })
    }
    #expect(
      heard.withLock { Array($0.prefix(3)) } == [
        "deposed(partition: 0)", "restoring(partition: 0)", "live(partition: 0)",
      ]
    )
    #expect(accounts["ada"].current?.sum == 3)
    subscription.cancel()
    await accounts.shutdown()
  }

  @Test("LOG-11: an owner that was deposed while it reacted commits again when it has taken the partition back")
  func deposedWhileReacting() async throws {
    let time = VirtualScheduler()
    let (isCommitting, isReacting) = (Latch(), Latch())
    let wasDeposed = Lock(false)
    let hasReacted = Lock(false)
    let log = BrokenLog<Deposit>(MemoryLog()) {
      $0.committing = { (base, rows, offset, partition, revision) async throws(LogError) in
        guard offset == 1, !wasDeposed.exchange(with: true) else {
          return try await base.commit(rows, at: offset, to: partition, replacing: revision)
        }
        isCommitting.open()
        await isReacting.wait()
        throw .deposed(log: base.name, partition: partition)
      }
    }
    let accounts = try await LoggedSavings.opened(on: log, orAfter: 1, time: time) { position, _ in
      guard position.offset == 2, !hasReacted.exchange(with: true) else { return }
      isReacting.open()
      _ = await eventually { Task.isCancelled }
    }
    try await accounts.append(Deposit(account: "ada", amount: 1))
    await isCommitting.wait()
    // The reaction to the first of them is given up, and the second one is not reacted to.
    try await log.append((2...3).map { Deposit(account: "ada", amount: $0) }, to: 0)
    let hasCommitted = try await withMovingTime(time) {
      try await eventually { try await log.committed(0).offset == 3 }
    }
    #expect(hasCommitted)
    #expect(accounts["ada"].current?.sum == 6)
    await accounts.shutdown()
  }

  @Test("LOG-12: a log that went back is reported, and nothing is folded")
  func wentBack() async throws {
    let log = FaultyLog(MemoryLog<Deposit>(), seed: 1, faults: .never, on: VirtualScheduler())
    let accounts = try await LoggedSavings.opened(on: log)
    for amount in 1...5 { try await accounts.deposit(amount, to: "ada") }
    await accounts.shutdown()
    log.goBack(0, to: 3)
    let error = try await LoggedSavings.failure(on: log)
    guard case .wentBack(_, 0, 3, 5)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("LOG-24: entries whose keys are equal, and written in two ways, are folded into one row", arguments: [1, 64])
  func equalKeys(partitions: Int) async throws {
    let log = MemoryLog<Deposit>(partitions: partitions)
    let accounts = try await LoggedSavings.opened(on: log)
    let names = ["caf\u{E9}", "cafe\u{301}"]
    for amount in 1...2 { for name in names { try await accounts.deposit(amount, to: name) } }
    #expect(accounts.rowCount == 1)
    for name in names {
      #expect(accounts[name].current?.sum == 6)
      #expect(accounts.rows()[name]?.sum == 6)
      #expect(log.partition(of: name) == log.partition(of: names[0]))
    }
    await accounts.shutdown()
    let next = try await LoggedSavings.opened(on: log)
    #expect(next.rows() == accounts.rows())
    await next.shutdown()
  }

  @Test("LOG-12: an entry in the wrong partition ends the partition")
  func misplaced() async throws {
    let log = MemoryLog<Deposit>(partitions: 2)
    let right = PartitionHasher.partition(of: "ada", among: 2)
    try await log.append([Deposit(account: "ada", amount: 1)], to: 1 - right)
    let error = try await LoggedSavings.failure(1 - right, on: log)
    guard case .misplaced(_, 1 - right, 1, right)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("LOG-10: rows of another version are ignored, and all entries are folded again")
  func versions() async throws {
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings.opened(on: log)
    for amount in 1...5 { try await accounts.deposit(amount, to: "ada") }
    await accounts.shutdown()
    let reactions = Lock(0)
    let next = try await LoggedSavings.opened(on: log, states: .codable(version: 2)) { _, _ in
      reactions.withLock { $0 += 1 }
    }
    #expect(next.rows() == accounts.rows())
    try await next.deposit(6, to: "ada")
    #expect(await eventually { reactions.withLock { $0 } > 0 })
    await next.shutdown()
    #expect(reactions.withLock { $0 } == 1, "what was committed was reacted to")
    #expect(try await log.committed(0).offset == 6)
  }

  @Test("LOG-13: a reaction comes at least once for each entry, with one position, before the record has it")
  func reactions() async throws {
    let log = MemoryLog<Deposit>()
    let (time, isHeld, hold) = (VirtualScheduler(), Latch(), Latch())
    let calls = Lock<[String]>([])
    let accounts = try await LoggedSavings.opened(on: log, orAfter: 1, time: time) { position, deposit in
      calls.withLock { $0.append("\(position) \(deposit.amount)") }
      guard deposit.amount == 2 else { return }
      isHeld.open()
      await hold.wait()
    }
    try await accounts.deposit(1, to: "ada")
    #expect(try await eventually { try await log.committed(0).offset == 1 })
    try await accounts.deposit(2, to: "ada")
    await isHeld.wait()
    time.advance(by: .seconds(100))
    #expect(try await log.committed(0).offset == 1, "the record waits for the reaction")
    // Another owner has the entry that is not in the record.
    let other = try await LoggedSavings.opened(on: log, orAfter: 1) { position, deposit in
      calls.withLock { $0.append("\(position) \(deposit.amount)") }
    }
    await other.shutdown()
    hold.open()
    await accounts.shutdown()
    #expect(calls.withLock { $0 }.first == "memory/0/1 1")
    #expect(calls.withLock { $0 }.contains("memory/0/2 2"))
  }

  @Test("an event that the row refuses is refused again after a restart")
  func refused() async throws {
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings.opened(on: log)
    for amount in [5, -9, 2] { try await accounts.deposit(amount, to: "ada") }
    #expect(accounts["ada"].current?.sum == 7)
    let next = try await LoggedSavings.opened(on: log.reopened())
    #expect(next.rows() == accounts.rows())
    await next.shutdown()
    await accounts.shutdown()
  }
}
