import Aggregate
import RASPLogs
import RASPLogsTesting
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Rows of partitions that are not owned", .endsInTime)
struct FollowingTests {
  private func deposits(_ count: Int) -> [Deposit] { (0..<count).map { Deposit(account: "\($0 % 40)", amount: $0) } }

  @Test("LOAD-67: a follower has all rows, and a ranking over all of them, and writes nothing")
  func follows() async throws {
    let log = MemoryLog<Deposit>(partitions: 4)
    let first = try await LoggedSavings.opened(on: log, as: "first")
    let second = try await LoggedSavings.opened(on: log, as: "second")
    try await first.append(contentsOf: deposits(100))
    await second.shutdown()
    // A taker-over writes the records back.
    #expect(await eventually { first.rows() == Savings.folding(deposits(100)) })
    let records = try await (0..<4).asyncMap { try await log.committed($0) }
    let shown = try await LoggedSavings.following(log)
    #expect(shown.partitions.isEmpty && shown.rows() == Savings.folding(deposits(100)))
    let ranking = shown.ranked(by: \.sum, first: 3)
    for position in try await shown.append(contentsOf: deposits(40)) { try await shown.atLeast(position) }
    let expected = Savings.folding(deposits(100) + deposits(40))
    #expect(shown.rows() == expected)
    #expect(ranking.current.map(\.state.sum) == expected.values.map(\.sum).sorted(by: >).prefix(3).map { $0 })
    #expect(try await (0..<4).asyncMap { try await log.committed($0) } == records)
    let part = try await LoggedSavings.following(log, partitions: [2])
    #expect(part.rows() == expected.filter { PartitionHasher.partition(of: $0.key, among: 4) == 2 })
    await #expect(throws: LogError.self) { try await LoggedSavings.following(log, partitions: [4]) }
    for aggregator in [first, shown, part] { await aggregator.shutdown() }
  }

  @Test("LOAD-67: a wait for a position ends with it, with the follower, with the log, and with the task")
  func atLeast() async throws {
    let log = MemoryLog<Deposit>(partitions: 2)
    let shown = try await LoggedSavings.following(log, partitions: [0])
    func failure(_ partition: Int, _ offset: Int, log name: String? = nil) async -> LogError? {
      do throws(LogError) {
        try await shown.atLeast(LogPosition(log: name ?? log.name, partition: partition, offset: offset))
        return nil
      } catch {
        return error
      }
    }
    guard case .notOwned? = await failure(1, 1), case .noPartition? = await failure(2, 1),
      case .refused? = await failure(0, 1, log: "another")
    else {
      Issue.record("a position that cannot be waited for")
      return
    }
    let cancelled = Task { await failure(0, 5) }
    let ended = Task { await failure(0, 6) }
    for _ in 0..<100 { await Task.yield() }
    cancelled.cancel()
    if case .cancelled? = await cancelled.value {} else { Issue.record("a wait that was not cancelled") }
    let account = (0..<100).map { "\($0)" }.first { PartitionHasher.partition(of: $0, among: 2) == 0 } ?? ""
    let folded = Task { await failure(0, 1) }
    try await log.append([Deposit(account: account, amount: 1)], to: 0)
    #expect(await folded.value == nil && shown[account].current?.sum == 1)
    await shown.shutdown()
    if case .notOwned? = await ended.value {} else { Issue.record("a wait that does not end with the follower") }

    let other = try await LoggedSavings.following(log, partitions: [0])
    let failed = Task { try await other.atLeast(LogPosition(log: log.name, partition: 0, offset: 9)) }
    try await log.append([Deposit(account: "of partition 1", amount: 1)], to: 0)
    let isRight = PartitionHasher.partition(of: "of partition 1", among: 2) == 0
    if !isRight { await #expect(throws: LogError.self) { try await failed.value } }
    failed.cancel()
    await other.shutdown()

    let closing = MemoryLog<Deposit>(partitions: 1)
    let last = try await LoggedSavings.following(closing, partitions: [0])
    let waiting = Task { try await last.atLeast(LogPosition(log: closing.name, partition: 0, offset: 1)) }
    try await closing.close()
    await #expect(throws: LogError.self) { try await waiting.value }
    await last.shutdown()
  }

  @Test(
    "LOAD-68: a member that follows the others takes over where it is, and reads nothing again",
    arguments: [true, false]
  )
  func warm(isGraceful: Bool) async throws {
    let starts = Lock<[Int: [Int]]>([:])
    let log = BrokenLog<Deposit>(MemoryLog(partitions: 4)) {
      $0.reading = { base, partition, offset in
        starts.withLock { $0[partition, default: []].append(offset) }
        return base.entries(of: partition, after: offset)
      }
    }
    var first: LoggedSavings? = try await LoggedSavings.opened(on: log.base, as: "first")
    let second = try await LoggedSavings.opened(on: log, as: "second", followingOthers: true)
    #expect(second.partitions.count == 2)
    let removed = Lock(0)
    let subscription = second.changes.subscribe { change in
      if case .removed = change { removed.withLock { $0 += 1 } }
    }
    for position in try await second.append(contentsOf: deposits(1_000)) { try await second.atLeast(position) }
    #expect(second.rows() == Savings.folding(deposits(1_000)))
    if isGraceful { await first?.shutdown() }
    first = nil
    #expect(await eventually { second.partitions.count == 4 })
    for position in try await second.append(contentsOf: deposits(40)) { try await second.atLeast(position) }
    #expect(second.rows() == Savings.folding(deposits(1_000) + deposits(40)))
    #expect(await eventually { starts.withLock { $0.values.flatMap { $0 }.count } == 6 })
    for (partition, offsets) in starts.withLock({ $0 }) where offsets.count > 1 {
      #expect(offsets[1] > 200, "partition \(partition) is read again behind \(offsets)")
    }
    #expect(removed.withLock { $0 } == 0, "the rows stay while the owner changes")
    // A member that comes again takes half of them, and their rows stay here.
    let third = try await LoggedSavings.opened(on: log.base, as: "third")
    #expect(await eventually { second.partitions.count == 2 })
    for position in try await third.append(contentsOf: deposits(40)) { try await second.atLeast(position) }
    #expect(second.rows() == Savings.folding(deposits(1_000) + deposits(40) + deposits(40)))
    #expect(removed.withLock { $0 } == 0)
    subscription.cancel()
    await second.shutdown()
    await third.shutdown()
  }

  @Test("LOAD-69: members come, go and are killed: rows are right everywhere, and each entry is reacted to")
  func random() async throws {
    for seed in 0..<UInt64(rounds(300)) {
      var random = SplitMix(seed: seed)
      let time = VirtualScheduler()
      let base = MemoryLog<Deposit>(partitions: 3, onPoison: .skip)
      var faults = LogFaults.often
      // An entry that is left out four times in a row counts as lost.
      faults.gaps = 0.01
      let log = FaultyLog(base, seed: seed, faults: faults, on: time)
      let reacted = Lock<Set<LogPosition>>([])
      var members: [LoggedSavings] = []
      var sent: [Deposit] = []
      var misplaced: Set<LogPosition> = []
      func open(_ isFollowing: Bool) async throws {
        members.append(
          try await LoggedSavings.opened(
            on: log,
            followingOthers: isFollowing,
            orAfter: Int.random(in: 1...20, using: &random),
            time: time
          ) { position, _ in reacted.withLock { _ = $0.insert(position) } }
        )
      }
      try await withMovingTime(time) {
        let shown = try await LoggedSavings.following(log, time: time)
        try await open(true)
        for _ in 0..<25 {
          switch Int.random(in: 0..<10, using: &random) {
          case 0 where members.count < 4: try await open(Bool.random(using: &random))
          case 1 where members.count > 1: await members.removeFirst().shutdown(within: .seconds(1 << 30))
          // It is killed: it commits what it can, and others have its partitions at once.
          case 2 where members.count > 1: members.remove(at: Int.random(in: members.indices, using: &random))
          case 3:
            // An entry that stands in the wrong partition.
            let partition = Int.random(in: 0..<3, using: &random)
            let account =
              (0..<100).map { "\($0)" }.first { PartitionHasher.partition(of: $0, among: 3) != partition } ?? ""
            let offset = try await base.append([Deposit(account: account, amount: 1)], to: partition)
            misplaced.insert(LogPosition(log: base.name, partition: partition, offset: offset))
          default:
            for _ in 0..<Int.random(in: 1...30, using: &random) {
              let deposit = Deposit(account: "\(Int.random(in: 0..<9, using: &random))", amount: sent.count)
              try await base.append([deposit], to: PartitionHasher.partition(of: deposit.account, among: 3))
              sent.append(deposit)
            }
          }
          for _ in 0..<Int.random(in: 0..<50, using: &random) { await Task.yield() }
        }
        log.isFaulty = false
        let last = try await LoggedSavings.opened(on: log, followingOthers: true, time: time) { position, _ in
          reacted.withLock { _ = $0.insert(position) }
        }
        let expected = Savings.folding(sent)
        for partition in 0..<3 {
          let position = LogPosition(log: base.name, partition: partition, offset: try await base.newest(in: partition))
          for aggregator in [shown, last] { try await aggregator.atLeast(position) }
        }
        #expect(shown.rows() == expected && last.rows() == expected, "seed \(seed)")
        for member in members { await member.shutdown(within: .seconds(1 << 30)) }
        members = []
        for partition in 0..<3 {
          let newest = try await base.newest(in: partition)
          try await last.atLeast(LogPosition(log: base.name, partition: partition, offset: newest))
        }
        #expect(await eventually { last.partitions.count == 3 })
        for partition in 0..<3 {
          let newest = try await base.newest(in: partition)
          #expect(try await eventually { try await base.committed(partition).offset == newest })
        }
        await last.shutdown(within: .seconds(1 << 30))
        await shown.shutdown()
        #expect(last.rows() == expected, "seed \(seed)")
        for partition in 0..<3 {
          let newest = try await base.newest(in: partition)
          #expect(try await base.committed(partition).offset == newest, "seed \(seed)")
          let positions = Set((0..<newest).map { LogPosition(log: base.name, partition: partition, offset: $0 + 1) })
          #expect(positions.subtracting(reacted.withLock { $0 }).subtracting(misplaced) == [], "seed \(seed)")
        }
        let next = try await LoggedSavings.opened(on: base, time: time)
        #expect(next.rows() == expected, "the records are right, seed \(seed)")
        await next.shutdown()
      }
    }
  }
}

extension Sequence {
  /// The results of a closure for all elements, one after the other.
  fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
