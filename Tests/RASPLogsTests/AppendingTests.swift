import Aggregate
import RASPLogs
import RASPLogsTesting
import RASPPrimitives
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("What is appended to several partitions, and by sources", .endsInTime)
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

  @Test("LOAD-62: what sources send is in the log once and in order, whatever the log does")
  func random() async throws {
    for seed in 0..<UInt64(rounds(200)) {
      let time = VirtualScheduler()
      var faults = LogFaults()
      (faults.outages, faults.delays) = (0.2, 0.3)
      let base = MemoryLog<Deposit>(partitions: 4)
      let log = FaultyLog(base, seed: seed, faults: faults, on: time)
      let savings = try await withMovingTime(time) { try await LoggedSavings.opened(on: log, time: time) }
      let source = Subject<Deposit, Never>()
      savings.add(source.observable, as: "teller")
      let packets = (0..<5).map { packet in (0..<7).map { Deposit(account: "\($0 % 5)", amount: packet * 10 + $0) } }
      savings.add(packets: Observable(packets))
      let sent = (0..<30).map { Deposit(account: "teller-\(($0 * Int(seed + 1)) % 7)", amount: $0) }
      await withMovingTime(time) {
        for deposit in sent {
          source.send(deposit)
          if deposit.amount % 5 == 0 { await Task.yield() }
        }
        await savings.shutdown(within: .seconds(1 << 30))
      }
      #expect(savings.pendingCount == 0)
      #expect(savings.rows() == Savings.folding(packets.flatMap { $0 } + sent), "seed \(seed)")
      #expect(savings.health(of: "teller")?.eventCount ?? 30 == 30)
    }
  }

  @Test("LOAD-62: an asynchronous sequence is read on when its event is durable")
  func backpressure() async throws {
    let isHeld = Lock(true)
    let log = BrokenLog<Deposit>(MemoryLog(partitions: 4)) {
      $0.appending = { (base, entries, partition) async throws(LogError) in
        _ = await eventually { !isHeld.withLock { $0 } }
        return try await base.append(entries, to: partition)
      }
    }
    let savings = try await LoggedSavings.opened(on: log)
    let read = Lock(0)
    let numbers = AsyncStream<Deposit>(unfolding: {
      let next = read.withLock { count in
        count += 1
        return count
      }
      return next <= 5 ? Deposit(account: "\(next)", amount: next) : nil
    })
    savings.add(Observable(numbers))
    #expect(await eventually { read.withLock { $0 } == 1 && savings.pendingCount == 1 })
    for _ in 0..<100 { await Task.yield() }
    #expect(read.withLock { $0 } == 1)
    isHeld.withLock { $0 = false }
    #expect(await eventually { savings.rowCount == 5 })
    await savings.shutdown()
  }

  @Test("LOAD-63: events that a log does not take, or may have taken, are told and not appended again")
  func unappended() async throws {
    let log = BrokenLog<Deposit>(MemoryLog(partitions: 4)) {
      $0.appending = { (base, entries, partition) async throws(LogError) in
        if partition == 1 { throw .unacknowledged(log: base.name, partition: 1) }
        return try await base.append(entries, to: partition)
      }
    }
    let savings = try await LoggedSavings.opened(on: log)
    let told = Lock<[Deposit]>([])
    let subscription = savings.unappended.subscribe { lost in told.withLock { $0 += lost.events } }
    let source = Subject<Deposit, Never>()
    let id = savings.add(source.observable)
    for (amount, account) in accounts.enumerated() { source.send(Deposit(account: account, amount: amount)) }
    #expect(await eventually { savings.pendingCount == 0 && savings.rowCount == 3 })
    #expect(told.withLock { $0 } == [Deposit(account: accounts[1], amount: 1)])
    #expect(savings.remove(source: id) && !savings.remove(source: id))
    source.send(Deposit(account: accounts[0], amount: 9))
    subscription.cancel()
    await savings.shutdown()
    #expect(savings[accounts[0]].current?.count == 1)
  }

  @Test("LOAD-63: a log that cannot be reached at the end is not waited for without a limit")
  func givenUp() async throws {
    let time = VirtualScheduler()
    let log = BrokenLog<Deposit>(MemoryLog()) {
      $0.appending = { (base, _, _) async throws(LogError) in throw .unavailable(log: base.name, reason: "a test") }
    }
    let savings = try await LoggedSavings.opened(on: log, time: time)
    let told = Lock<[Deposit]>([])
    let subscription = savings.unappended.subscribe { lost in told.withLock { $0 += lost.events } }
    let source = Subject<Deposit, Never>()
    savings.add(source.observable)
    source.send(Deposit(account: "ada", amount: 1))
    await withMovingTime(time) { await savings.shutdown(within: .seconds(5)) }
    #expect(await eventually { told.withLock { $0.count } == 1 })
    subscription.cancel()
  }

  @Test("LOAD-64: an end has what was accepted in the log and folded, and finishes all subscribers")
  func end() async throws {
    let log = MemoryLog<Deposit>(partitions: 4)
    let savings = try await LoggedSavings.opened(on: log)
    let source = Subject<Deposit, Never>()
    savings.add(source.observable, as: "teller")
    let events = Lock(0)
    let hasEnded = Lock(false)
    let subscription = savings.events.subscribe { _ in
      events.withLock { $0 += 1 }
    } onEnd: { _ in
      hasEnded.withLock { $0 = true }
    }
    for amount in 0..<100 { source.send(Deposit(account: "\(amount)", amount: amount)) }
    #expect(savings.finish())
    source.send(Deposit(account: "late", amount: 1))
    #expect(!savings.finish())
    #expect(await eventually { hasEnded.withLock { $0 } })
    #expect(events.withLock { $0 } == 100 && savings.rowCount == 100)
    for partition in 0..<4 { #expect(try await log.committed(partition).offset == log.newest(in: partition)) }
    subscription.cancel()
  }
}
