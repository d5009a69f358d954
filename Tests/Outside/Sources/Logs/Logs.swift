import Aggregate
import RASPKeyed
import RASPLogs
import RASPTesting
import Streams

// What these programs say of the package in other words than their own.
private typealias Accounts = LoggedAggregator<String, Account>
private typealias Log = MemoryLog<Account.Deposit>

extension Accounts {
  fileprivate static func member(
    _ name: String,
    on log: Log,
    isFollowing: Bool,
    every count: Int,
    time: VirtualScheduler,
    reacting: @escaping @Sendable (LogPosition, Account.Deposit) async -> Void
  ) async throws(LogError) -> Accounts {
    try await Accounts(
      by: \.account,
      initial: { _ in Account() },
      on: log,
      as: name,
      followingOthers: isFollowing,
      committingEvery: .seconds(5),
      orAfter: count,
      scheduler: time,
      reacting: reacting
    )
  }
  fileprivate static func follower(of log: Log, time: VirtualScheduler) async throws(LogError) -> Accounts {
    try await Accounts(following: log, by: \.account, initial: { _ in Account() }, scheduler: time)
  }
}

/// Members over a log in memory, that come and go: where events go, who owns what, that each is folded and reacted to
/// once, and what is committed. Its tasks run on the pool, so each step waits for what it has brought about.
struct Logs: Sendable {
  let numbers: Numbers
  let transcript: Transcript
  let partitions: Int
  private let log: Box<Log>
  private let time = VirtualScheduler()
  private let members = Box<[(name: String, rows: Accounts)]>([])
  private let follower = Box<Accounts?>(nil)
  private let count = Box(0)
  private let tokens = SubscriptionBag()

  private init(_ numbers: Numbers, _ transcript: Transcript) {
    (self.numbers, self.transcript, partitions) = (numbers, transcript, numbers.within(1...4))
    log = Box(Log(partitions: partitions))
  }

  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    do throws(LogError) { try await Logs(numbers, transcript).run() } catch { transcript.note("error") }
  }

  private func run() async throws(LogError) {
    try await join()
    for _ in 0..<numbers.within(2...12) {
      switch numbers.below(12) {
      case 0..<6: try await append()
      case 6,
        7 where members.value.count < 3:
        try await join()
      case 8 where members.value.count > 1: await leave()
      case 9: try await follow()
      case 10: try await restart()
      default: await commitInTime()
      }
    }
    try await stop()
    tokens.cancel()
  }

  // MARK: Members

  private func join() async throws(LogError) {
    let name = "member \(count.next())"
    let (isFollowing, every) = (numbers.once(in: 3), numbers.pick([1, 3, 1_000]))
    let rows = try await Accounts.member(name, on: log.value, isFollowing: isFollowing, every: every, time: time) {
      transcript.note("#\($0.offset) \($1)", by: "reactions of \($0.partition)")
    }
    tokens.insert(rows.rejections.subscribe { transcript.note("\($0.event)", by: "\(name), \($0.event.account)") })
    members.change { $0.append((name, rows)) }
    await divide()
  }

  private func leave() async {
    let (name, rows) = members.change { $0.remove(at: numbers.below($0.count)) }
    await rows.shutdown()
    transcript.note("\(name) has left with \(rows.rowCount) rows")
    await divide()
  }

  /// Waits until each partition has the owner that all members know.
  private func divide() async {
    let (members, partitions) = (members.value, partitions)
    let owners = LogAssignment.owners(among: members.map(\.name), partitions: partitions)
    let isDone = await eventually {
      members.allSatisfy { name, rows in rows.partitions == Set((0..<partitions).filter { owners[$0] == name }) }
    }
    transcript.note("owners \(owners.map { $0 ?? "none" }): \(isDone)")
  }

  private func follow() async throws(LogError) {
    if follower.value == nil { follower.value = try await Accounts.follower(of: log.value, time: time) }
    guard let follower = follower.value else { return }
    for partition in 0..<partitions {
      let newest = try await log.value.newest(in: partition)
      try await follower.folded(LogPosition(log: log.value.name, partition: partition, offset: newest))
    }
    note("a follower", follower.rows())
  }

  private func stop() async throws(LogError) {
    while !members.value.isEmpty { await leave() }
    await follower.value?.shutdown()
    follower.value = nil
    for partition in 0..<partitions {
      let (newest, record) = (try await log.value.newest(in: partition), try await log.value.committed(partition))
      transcript.note("of \(partition), \(record.offset) of \(newest) are committed")
    }
  }

  /// What is in memory is gone, and comes back.
  private func restart() async throws(LogError) {
    try await stop()
    let before = log.value
    log.value = before.reopened()
    try await before.close()
    try await join()
    for (name, rows) in members.value { note(name, rows.rows()) }
  }

  // MARK: Events

  private func append() async throws(LogError) {
    let (name, rows) = numbers.pick(members.value)
    let events = numbers.list(numbers.within(1...4)) {
      Account.Deposit(
        account: numbers.pick(["a", "b", "c", "d", "e\u{301}", "\u{E9}"]),
        amount: numbers.within(-3...9)
      )
    }
    let positions = try await rows.append(contentsOf: events)
    transcript.note("\(name) appends \(events), \(positions.map { "\($0.partition) \($0.offset)" })")
    for (name, rows) in members.value {
      let own = rows.partitions
      for position in positions where own.contains(position.partition) { try await rows.folded(position) }
      note(name, rows.rows().filter { own.contains(log.value.partition(of: $0.key)) })
    }
  }

  private func note(_ name: String, _ rows: [String: Account]) {
    transcript.note("\(name) has \(rows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
  }

  /// Moves time on until all that is folded is committed.
  private func commitInTime() async {
    let (log, partitions, time) = (log.value, partitions, time)
    let isDone = await eventually {
      time.advance(by: .seconds(5))
      for partition in 0..<partitions {
        let (newest, record) = (try? await log.newest(in: partition), try? await log.committed(partition))
        if newest != record?.offset { return false }
      }
      return true
    }
    transcript.note("all is committed: \(isDone)")
  }
}

/// Looks again until something has come about, which another thread does; `false` if it never does.
private func eventually(_ condition: () async -> Bool) async -> Bool {
  for round in 0..<20_000 {
    if await condition() { return true }
    if round < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
  }
  return false
}
