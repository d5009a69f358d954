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
      committingEvery: .milliseconds(5),
      orAfter: count,
      retryingAfter: .milliseconds(1),
      restoringWithin: .seconds(3_600),
      scheduler: time,
      reacting: reacting
    )
  }
  fileprivate static func follower(of log: Log, time: VirtualScheduler) async throws(LogError) -> Accounts {
    try await Accounts(
      following: log,
      by: \.account,
      initial: { _ in Account() },
      restoringWithin: .seconds(3_600),
      scheduler: time
    )
  }
}

/// Members over a log in memory, that come and go: where events go, who owns what, what is in the rows, that each event
/// is reacted to, and what is committed. Its tasks run on the pool, and time goes on by itself. So each step waits for
/// what it has brought about, and what may come more than once is noted once, at the end.
struct Logs: Sendable {
  let numbers: Numbers
  let transcript: Transcript
  let partitions: Int
  private let log: Box<Log>
  private let time = VirtualScheduler()
  private let members = Box<[(name: String, rows: Accounts)]>([])
  private let follower = Box<Accounts?>(nil)
  private let count = Box(0)
  /// How many members there have been since the log was opened.
  private let joined = Box(0)
  private let tokens = SubscriptionBag()
  private let reactions = Box<Set<String>>([])
  private let refusals = Box<Set<String>>([])

  private init(_ numbers: Numbers, _ transcript: Transcript) {
    (self.numbers, self.transcript, partitions) = (numbers, transcript, numbers.within(1...4))
    log = Box(Log(partitions: partitions))
  }

  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    let program = Logs(numbers, transcript)
    let clock = Task {
      while !Task.isCancelled {
        program.time.advance(by: .milliseconds(1))
        try? await Task.sleep(for: .microseconds(100))
      }
    }
    do throws(LogError) { try await program.run() } catch { transcript.note("error") }
    clock.cancel()
  }

  private func run() async throws(LogError) {
    try await join()
    for _ in 0..<numbers.within(2...12) {
      switch numbers.below(12) {
      case 0..<6: try await append()
      case 6,
        7 where members.value.count < 3:
        try await join()
      case 8 where members.value.count > 1: try await leave()
      case 9: try await follow()
      case 10: try await restart()
      default: transcript.note("all is committed: \(await eventually { try await newest() == committed() })")
      }
    }
    try await stop()
    tokens.cancel()
    for line in refusals.value.sorted() + reactions.value.sorted() { transcript.note(line) }
  }

  // MARK: Members

  private func join() async throws(LogError) {
    let name = "member \(count.next())"
    _ = joined.next()
    let (isFollowing, every) = (numbers.once(in: 3), numbers.pick([1, 3, 1_000]))
    let rows = try await Accounts.member(name, on: log.value, isFollowing: isFollowing, every: every, time: time) {
      [reactions] position, event in
      reactions.change { _ = $0.insert("\(position.partition) \(position.offset) reacted to \(event)") }
    }
    tokens.insert(rows.rejections.subscribe { event in refusals.change { _ = $0.insert("refused \(event.event)") } })
    members.change { $0.append((name, rows)) }
    let owners = LogAssignment.owners(among: members.value.map(\.name), partitions: partitions)
    transcript.note("\(name) joins: \(owners.map { $0 ?? "none" })")
    await noteRows()
  }

  private func leave() async throws(LogError) {
    // What was not reacted to when it leaves is not committed.
    let isDone = await eventually { try await newest().reduce(0, +) == reactions.value.count }
    let (name, rows) = members.change { $0.remove(at: numbers.below($0.count)) }
    await rows.shutdown(within: .seconds(3_600))
    transcript.note("\(name) leaves, all reacted to: \(isDone)")
    await noteRows()
  }

  private func follow() async throws(LogError) {
    if follower.value == nil { follower.value = try await Accounts.follower(of: log.value, time: time) }
    if let follower = follower.value { await note("a follower", follower, Set(0..<partitions)) }
  }

  private func stop() async throws(LogError) {
    // An owner that has just taken over what its predecessor had not committed reacts to it again, unless it ends.
    if joined.value > 1 { _ = await eventually { try await newest() == committed() } }
    joined.value = 0
    while !members.value.isEmpty { try await leave() }
    await follower.value?.shutdown(within: .seconds(3_600))
    follower.value = nil
    transcript.note("stop: \(try await committed()) of \(try await newest()) are committed")
  }

  /// What is in memory is gone, and comes back.
  private func restart() async throws(LogError) {
    try await stop()
    let before = log.value
    log.value = before.reopened()
    try await before.close()
    try await join()
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
    await noteRows()
  }

  private func noteRows() async {
    let members = members.value
    let owners = LogAssignment.owners(among: members.map(\.name), partitions: partitions)
    for (name, rows) in members {
      _ = await eventually { (0..<partitions).allSatisfy { rows.owners.current[$0]?.member == owners[$0] } }
      await note(name, rows, rows.partitions)
    }
  }

  /// Waits until all is folded.
  private func note(_ name: String, _ rows: Accounts, _ own: Set<Int>) async {
    let log = log.value
    let isDone = await eventually {
      for (partition, offset) in try await newest().enumerated() where own.contains(partition) {
        try await rows.folded(LogPosition(log: log.name, partition: partition, offset: offset))
      }
      return true
    }
    let all = rows.rows().filter { own.contains(log.partition(of: $0.key)) }.sorted { $0.key < $1.key }
    transcript.note("\(name) has \(own.sorted()) with \(all.map { "\($0.key) \($0.value)" }), all: \(isDone)")
  }

  private func newest() async throws(LogError) -> [Int] {
    var offsets: [Int] = []
    for partition in 0..<partitions { offsets.append(try await log.value.newest(in: partition)) }
    return offsets
  }

  private func committed() async throws(LogError) -> [Int] {
    var offsets: [Int] = []
    for partition in 0..<partitions { offsets.append(try await log.value.committed(partition).offset) }
    return offsets
  }
}

/// Looks again until something has come about, which another thread does; `false` if it never does.
private func eventually(_ condition: () async throws -> Bool) async -> Bool {
  for round in 0..<20_000 {
    if (try? await condition()) == true { return true }
    if round < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
  }
  return false
}
