import Aggregate
import RASPJournal
import RASPLogs
import RASPLogsTesting
import RASPTesting
import Streams
import TestSupport
import Testing

/// How many times each position was reacted to.
private final class Reactions: Sendable {
  let counts = Lock<[String: Int]>([:])
}

@Suite("A new version of a state beside an old one", .endsInTime)
struct UpgradeTests {
  private func names(_ partitions: Int) -> [String] {
    (0..<partitions).map { partition in
      (0..<1_000).map { "account \($0)" }.first { PartitionHasher.partition(of: $0, among: partitions) == partition }
        ?? ""
    }
  }

  private func open(
    _ log: any EventLog<Deposit>,
    version: Int,
    as member: String,
    _ reactions: Reactions,
    time: VirtualScheduler = VirtualScheduler()
  ) async throws -> LoggedSavings {
    let states = Coding<Savings>.codable(version: version, named: "Savings")
    return try await LoggedSavings.opened(on: log, as: member, orAfter: 1, time: time, states: states) {
      (position: LogPosition, _: Deposit) in reactions.counts.withLock { $0["\(position)", default: 0] += 1 }
    }
  }

  @Test(
    "LOG-21: a process that knows an earlier version stops at a newer record with its error, and leaves it as it is"
  )
  func newer() async throws {
    let (log, reactions) = (MemoryLog<Deposit>(), Reactions())
    let new = try await open(log, version: 2, as: "new", reactions)
    try await new.deposit(1, to: "ada")
    #expect(await eventually { reactions.counts.withLock { $0["memory/0/1"] } != nil })
    await new.shutdown()
    let record = try await log.committed(0)
    let old = try await open(log, version: 1, as: "old", reactions)
    guard case .newer("memory", 0, let type)? = old.failures[0] else {
      Issue.record("\(old.failures)")
      return
    }
    #expect(type == TypeVersion(name: "Savings", version: 2))
    #expect(old.rows().isEmpty)
    #expect(old.partitions.isEmpty)
    await #expect(throws: LogError.self) { try await old.append(Deposit(account: "ada", amount: 2)) }
    await old.shutdown()
    #expect(try await log.committed(0) == record)
    try await log.append([Deposit(account: "ada", amount: 2)], to: 0)
    let next = try await open(log, version: 2, as: "next", reactions)
    #expect(next.partitions == [0])
    #expect(next["ada"].current?.sum == 3)
    #expect(await eventually { reactions.counts.withLock { $0["memory/0/2"] } != nil })
    await next.shutdown()
    #expect(reactions.counts.withLock { $0 } == ["memory/0/1": 1, "memory/0/2": 1])
  }

  @Test("LOG-21: a rolling upgrade: each entry counts once and is reacted to once", arguments: [true, false])
  func rolling(inFiles: Bool) async throws {
    let time = VirtualScheduler()
    // One that meets another owner in a take-over tries again after a while.
    try await withMovingTime(time) { try await upgrade(inFiles: inFiles, time) }
  }

  private func upgrade(inFiles: Bool, _ time: VirtualScheduler) async throws {
    try await inNewFolder { folder in
      let partitions = 4
      let log: any EventLog<Deposit> =
        inFiles ? try FileLog<Deposit>(at: folder, partitions: partitions) : MemoryLog<Deposit>(partitions: partitions)
      let reactions = Reactions()
      let accounts = names(partitions)
      var expected: [Deposit] = []
      func append(_ amount: Int) async throws {
        for account in accounts {
          expected.append(Deposit(account: account, amount: amount))
          try await log.append(
            [expected[expected.count - 1]],
            to: PartitionHasher.partition(of: account, among: partitions)
          )
        }
      }
      var members = [
        try await open(log, version: 1, as: "one", reactions, time: time),
        try await open(log, version: 1, as: "two", reactions, time: time),
      ]
      // An owner that has no time to commit may have others react again.
      func commit() async throws {
        #expect(
          try await eventually {
            for partition in 0..<partitions {
              let newest = try await log.newest(in: partition)
              if try await log.committed(partition).offset < newest { return false }
            }
            return true
          }
        )
      }
      try await append(1)
      try await commit()
      for number in 1...2 {
        // One of the old version goes, and one of the new version comes; then all partitions have an owner again.
        await members.removeFirst().shutdown(within: .seconds(1 << 40))
        members.append(try await open(log, version: 2, as: "new \(number)", reactions, time: time))
        try await append(number + 1)
        try await commit()
        let present = members
        #expect(await eventually { Set(present.flatMap(\.partitions)).count == partitions })
      }
      let present = members
      #expect(await eventually { present.allSatisfy(\.failures.isEmpty) })
      #expect(
        await eventually {
          present.reduce(into: [:]) { $0.merge($1.rows()) { $1 } } == Savings.folding(expected)
        }
      )
      for member in members { await member.shutdown(within: .seconds(1 << 40)) }
      #expect(reactions.counts.withLock { $0.count } == expected.count)
      #expect(reactions.counts.withLock { $0.values.allSatisfy { $0 == 1 } })
      // An old one that comes back owns nothing.
      let late = try await open(log, version: 1, as: "late", reactions, time: time)
      #expect(late.rows().isEmpty)
      #expect(late.failures.count == partitions)
      await late.shutdown(within: .seconds(1 << 40))
      try await log.close()
    }
  }
}
