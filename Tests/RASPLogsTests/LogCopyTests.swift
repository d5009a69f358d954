import Aggregate
import RASPLogs
import RASPLogsTesting
import RASPPrimitives
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("A log with another number of partitions", .endsInTime)
struct LogCopyTests {
  @Test("LOAD-70: entries are appended and folded while they are copied: each is there once, and rows keep their order")
  func random() async throws {
    for seed in 0..<UInt64(rounds(300)) {
      var random = SplitMix(seed: seed)
      let time = VirtualScheduler()
      let source = MemoryLog<Deposit>(partitions: Int.random(in: 1...4, using: &random), name: "old")
      let base = MemoryLog<Deposit>(partitions: Int.random(in: 1...6, using: &random), name: "new")
      var faults = LogFaults()
      (faults.outages, faults.lostRequests, faults.lostAnswers, faults.delays) = (0.05, 0.1, 0.1, 0.1)
      let target = FaultyLog(base, seed: seed, faults: faults, on: time)
      var sent: [Deposit] = []
      func append(_ count: Int, to log: MemoryLog<Deposit>) async throws {
        for _ in 0..<count {
          let deposit = Deposit(account: "\(Int.random(in: 0..<9, using: &random))", amount: sent.count)
          try await log.append([deposit], to: log.partition(of: deposit.account))
          sent.append(deposit)
        }
      }
      try await append(50, to: source)
      try await withMovingTime(time) {
        let old = try await LoggedSavings.opened(on: source, time: time)
        let new = try await LoggedSavings.following(base, time: time)
        // The first copies are interrupted.
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          let copy = LogCopy(of: source, into: target, by: \Deposit.account, scheduler: time)
          let copying = Task { try await copy.run() }
          try await append(Int.random(in: 0..<40, using: &random), to: source)
          for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
          copying.cancel()
          _ = await copying.result
        }
        let copy = LogCopy(of: source, into: target, by: \Deposit.account, scheduler: time)
        let copying = Task { try await copy.run() }
        for _ in 0..<10 {
          try await append(Int.random(in: 0..<20, using: &random), to: source)
          for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
        }
        target.isFaulty = false
        let ends = try await copy.finish()
        try await copying.value
        #expect(ends.reduce(0) { $0 + $1.offset } == sent.count, "seed \(seed)")
        #expect(copy.copied.reduce(0, +) == sent.count)
        for end in ends { try await new.atLeast(end) }
        #expect(new.rows() == Savings.folding(sent), "seed \(seed)")
        // It goes on in the new log.
        try await append(30, to: base)
        for partition in 0..<base.partitions {
          let newest = try await base.newest(in: partition)
          try await new.atLeast(LogPosition(log: "new", partition: partition, offset: newest))
        }
        #expect(new.rows() == Savings.folding(sent), "seed \(seed)")
        await old.shutdown()
        await new.shutdown()
      }
    }
  }

  @Test("LOAD-70: a log in files gets other partitions")
  func files() async throws {
    try await inNewFolder { folder in
      let old = try FileLog<Deposit>(at: folder, partitions: 2)
      let deposits = (0..<2_000).map { Deposit(account: "\($0 % 30)", amount: $0) }
      let savings = try await LoggedSavings.opened(on: old)
      try await savings.append(contentsOf: deposits)
      try await inNewFolder { other in
        let new = try FileLog<Deposit>(at: other, partitions: 7)
        let copy = LogCopy(of: old, into: new, by: \Deposit.account)
        let copying = Task { try await copy.run() }
        let ends = try await copy.finish()
        try await copying.value
        #expect(ends.map(\.offset).reduce(0, +) == 2_000 && ends.count == 7)
        let next = try await LoggedSavings.opened(on: new)
        #expect(next.rows() == Savings.folding(deposits))
        await next.shutdown()
        try await new.close()
      }
      await savings.shutdown()
      try await old.close()
    }
  }

  @Test("LOAD-70: a copy that is cancelled or fails says so to who waits for its end")
  func failures() async throws {
    let source = MemoryLog<Deposit>(partitions: 2)
    try await source.append([Deposit(account: "ada", amount: 1)], to: PartitionHasher.partition(of: "ada", among: 2))
    let target = BrokenLog<Deposit>(MemoryLog(partitions: 3)) {
      $0.appending = { (base, _, _) async throws(LogError) in
        throw .refused(log: base.name, partition: nil, reason: "a test")
      }
    }
    let copy = LogCopy(of: source, into: target, by: \Deposit.account)
    let ended = Task { try await copy.finish() }
    await #expect(throws: LogError.self) { try await copy.run() }
    await #expect(throws: LogError.self) { try await ended.value }
  }
}
