import Aggregate
import RASPLogs
import RASPLogsTesting
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("What is appended to several partitions, and in batches", .endsInTime)
struct AppendingTests {
  /// Accounts of different partitions of four.
  private let accounts = (0..<4).map { partition in
    (0..<1_000).lazy.map { "\($0)" }.first { PartitionHasher.partition(of: $0, among: 4) == partition } ?? ""
  }

  @Test("LOAD-60: events are appended to all of their partitions at once, and each keeps their order")
  func atOnce() async throws {
    let waiting = Lock(0)
    let log = BrokenLog<Deposit>(MemoryLog(partitions: 4)) {
      $0.appending = { (base, entries, partition) async throws(LogError) in
        waiting.withLock { $0 += 1 }
        // Each call waits for the others.
        _ = await eventually { waiting.withLock { $0 } >= 4 }
        return try await base.append(entries, to: partition)
      }
    }
    let savings = try await LoggedSavings.opened(on: log)
    let deposits = (0..<40).map { Deposit(account: accounts[$0 % 4], amount: $0) }
    let positions = try await savings.append(contentsOf: deposits)
    #expect(positions == (0..<4).map { LogPosition(log: log.name, partition: $0, offset: 10) })
    for position in positions { try await savings.folded(position) }
    #expect(savings.rows() == Savings.folding(deposits))
    #expect(try await savings.append(contentsOf: []) == [])
    await savings.shutdown()
  }

  @Test("LOAD-61: of several partitions it is told which have the events, and why the others do not")
  func partlyAppended() async throws {
    let log = BrokenLog<Deposit>(MemoryLog(partitions: 4)) {
      $0.appending = { (base, entries, partition) async throws(LogError) in
        if partition == 2 { throw .unacknowledged(log: base.name, partition: 2) }
        return try await base.append(entries, to: partition)
      }
    }
    let savings = try await LoggedSavings.opened(on: log)
    do throws(LogError) {
      try await savings.append(contentsOf: accounts.map { Deposit(account: $0, amount: 1) })
      Issue.record("nothing is thrown")
    } catch {
      guard case .partlyAppended(_, let appended, let failures) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(appended.map(\.partition) == [0, 1, 3])
      #expect(failures.keys.sorted() == [2])
      #expect(!error.isTemporary && "\(error)".contains("of 1 of 4 partitions"))
    }
    do throws(LogError) {
      try await savings.append(contentsOf: [Deposit(account: accounts[2], amount: 1)])
      Issue.record("nothing is thrown")
    } catch {
      guard case .unacknowledged = error else {
        Issue.record("\(error)")
        return
      }
    }
    await savings.shutdown()
  }

  @Test("LOAD-62: what a source sends in batches is in the log once and in order, also where the log is slow")
  func batches() async throws {
    for seed in 0..<UInt64(rounds(200)) {
      let time = VirtualScheduler()
      var faults = LogFaults()
      faults.delays = 0.3
      let log = FaultyLog(MemoryLog<Deposit>(partitions: 4), seed: seed, faults: faults, on: time)
      let source = Subject<Deposit, Never>()
      let sent = (0..<30).map { Deposit(account: "teller-\(($0 * Int(seed + 1)) % 7)", amount: $0) }
      try await withMovingTime(time) {
        let savings = try await LoggedSavings.opened(on: log, time: time)
        var batches = source.observable.buffer(count: 7, every: .seconds(1), on: time).values(buffering: .unbounded)
          .makeAsyncIterator()
        for deposit in sent {
          source.send(deposit)
          if deposit.amount % 5 == 0 { await Task.yield() }
        }
        source.finish()
        while let batch = await batches.next() {
          for position in try await savings.append(contentsOf: batch) { try await savings.folded(position) }
        }
        #expect(savings.rows() == Savings.folding(sent), "seed \(seed)")
        await savings.shutdown(within: .seconds(1 << 30))
      }
    }
  }

  @Test("LOAD-62: a batch for which the log was not there is appended again, and counts once")
  func outages() async throws {
    for seed in 0..<UInt64(rounds(200)) {
      let time = VirtualScheduler()
      var faults = LogFaults()
      faults.outages = 0.3
      let log = FaultyLog(MemoryLog<Deposit>(partitions: 1), seed: seed, faults: faults, on: time)
      let sent = (0..<30).map { Deposit(account: "teller-\($0 % 7)", amount: $0) }
      try await withMovingTime(time) {
        let savings = try await LoggedSavings.opened(on: log, time: time)
        for batch in [sent[..<10], sent[10..<20], sent[20...]] {
          var position: LogPosition?
          while position == nil {
            do {
              position = try await savings.append(contentsOf: batch).last
            } catch LogError.unavailable {
              continue
            }
          }
          if let position { try await savings.folded(position) }
        }
        #expect(savings.rows() == Savings.folding(sent), "seed \(seed)")
        await savings.shutdown(within: .seconds(1 << 30))
      }
    }
  }

  @Test("LOAD-64: an end commits what is folded, and finishes all subscribers")
  func end() async throws {
    let log = MemoryLog<Deposit>(partitions: 4)
    let savings = try await LoggedSavings.opened(on: log)
    let events = Lock(0)
    let hasEnded = Lock(false)
    let subscription = savings.events.subscribe { _ in
      events.withLock { $0 += 1 }
    } onEnd: { _ in
      hasEnded.withLock { $0 = true }
    }
    let positions = try await savings.append(contentsOf: (0..<100).map { Deposit(account: "\($0)", amount: $0) })
    for position in positions { try await savings.folded(position) }
    #expect(savings.finish())
    #expect(!savings.finish())
    #expect(await eventually { hasEnded.withLock { $0 } })
    #expect(events.withLock { $0 } == 100 && savings.rowCount == 100)
    for partition in 0..<4 { #expect(try await log.committed(partition).offset == log.newest(in: partition)) }
    subscription.cancel()
  }
}
