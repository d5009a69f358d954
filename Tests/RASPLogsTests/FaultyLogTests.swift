import Aggregate
import RASPLogs
import RASPLogsTesting
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Rows over a log that goes wrong", .endsInTime)
struct FaultyLogTests {
  @Test("LOG-09: random programs of several owners: no row is ever wrong, and nothing acknowledged is lost")
  func randomPrograms() async throws {
    let happened = Lock<Set<String>>([])
    for seed in 0..<rounds(2_000) {
      let time = VirtualScheduler()
      try await withMovingTime(time) {
        try await LogProgram(seed: UInt64(seed), time: time) { kind in happened.withLock { _ = $0.insert(kind) } }.run()
      }
    }
    // Otherwise the programs show nothing.
    let kinds: Set = ["deposed", "live", "released", "lost answer", "found late", "row"]
    #expect(kinds.subtracting(happened.withLock { $0 }) == [])
  }
}

/// Owners come and go while events are appended, and everything goes wrong that can.
private final class LogProgram {
  private let base: MemoryLog<Deposit>
  private let log: FaultyLog<MemoryLog<Deposit>>
  private let time: VirtualScheduler
  private let seed: UInt64
  private var random: SplitMix
  private var owners: [LoggedSavings] = []
  private var acknowledged: [LogPosition: Deposit] = [:]
  private var amount = 0
  private let watching = SubscriptionBag()

  private let note: @Sendable (String) -> Void

  /// - Parameter note: is told what has happened.
  init(seed: UInt64, time: VirtualScheduler, note: @escaping @Sendable (String) -> Void) {
    self.note = note
    self.seed = seed
    self.time = time
    random = SplitMix(seed: seed)
    base = MemoryLog(partitions: .random(in: 1...3, using: &random))
    log = FaultyLog(base, seed: seed, on: time)
  }

  func run() async throws {
    for _ in 0..<60 { try await step() }
    log.isFaulty = false
    for owner in owners { await owner.shutdown(within: .seconds(1 << 40)) }
    let last = try await LoggedSavings.opened(on: base, time: time)
    var entries: [Deposit] = []
    for partition in 0..<base.partitions {
      let found = try await base.entries(in: partition)
      entries += found
      for (position, deposit) in acknowledged where position.partition == partition {
        #expect(found[position.offset - 1] == deposit, "seed \(seed): an acknowledged event is not at \(position)")
      }
    }
    if entries.count > acknowledged.count { note("found late") }
    let comment: Comment = "seed \(seed): rows differ from those without a log; failures: \(last.failures)"
    // An owner that was released without a shutdown gives its partitions back a moment later.
    let expected = Savings.folding(entries)
    #expect(await eventually { last.rows() == expected }, comment)
    await last.shutdown(within: .seconds(1 << 40))
  }

  private func step() async throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0 where owners.count < 3:
      // One that cannot begin is an owner that has ended.
      if let owner = try? await LoggedSavings.opened(on: log, every: .seconds(1), orAfter: 3, time: time) {
        owners.append(owner)
        owner.ownership.subscribe { [note] event in
          switch event {
          case .deposed: note("deposed")
          case .live: note("live")
          case .released: note("released")
          case .restoring, .failed, .following: break
          }
        }.store(in: watching)
      }
    case 1 where !owners.isEmpty:
      await owners.remove(at: .random(in: owners.indices, using: &random)).shutdown(within: .seconds(1 << 40))
    case 2 where !owners.isEmpty:
      owners.remove(at: .random(in: owners.indices, using: &random))
    case 3...4: try await checkRows()
    default: await append()
    }
  }

  private func append() async {
    var deposits: [Deposit] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      amount += 1
      deposits.append(Deposit(account: "\(Int.random(in: 0..<6, using: &random))", amount: amount))
    }
    let (log, partitions, note) = (log, base.partitions, note)
    let positions = await withTaskGroup(of: (LogPosition, Deposit)?.self) { group in
      for deposit in deposits {
        group.addTask {
          let partition = PartitionHasher.partition(of: deposit.account, among: partitions)
          do throws(LogError) {
            let offset = try await log.append([deposit], to: partition)
            return (LogPosition(log: log.name, partition: partition, offset: offset), deposit)
          } catch {
            if case .unacknowledged = error { note("lost answer") }
            return nil
          }
        }
      }
      return await group.reduce(into: [(LogPosition, Deposit)]()) { if let found = $1 { $0.append(found) } }
    }
    for (position, deposit) in positions { acknowledged[position] = deposit }
  }

  /// Each row is one of those that the events of its key lead to, one after the other.
  private func checkRows() async throws {
    for owner in owners {
      let rows = owner.rows()
      for (key, row) in rows {
        let deposits = try await base.entries(in: base.partition(of: key)).filter { $0.account == key }
        note("row")
        let expected = Savings.folding(deposits.prefix(row.count))[key]
        #expect(row == expected, "seed \(seed): the row \(key) is no fold of the first \(row.count) events")
      }
    }
  }
}
