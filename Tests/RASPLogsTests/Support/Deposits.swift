import Aggregate
import RASPJournal
import RASPLogs
import RASPTesting
import Streams
import TestSupport

/// An event of one row.
struct Deposit: Codable, Hashable, Sendable {
  var account: String
  var amount: Int
}

/// A row that shows each event that was left out, doubled or out of order.
struct Savings: AggregateState, Codable, Equatable {
  struct Overdrawn: Error {}

  var count = 0
  var sum = 0
  var hash: UInt64 = 0

  mutating func apply(_ deposit: Deposit) throws(Overdrawn) {
    if sum + deposit.amount < 0 { throw Overdrawn() }
    count += 1
    sum += deposit.amount
    hash = (hash ^ UInt64(truncatingIfNeeded: deposit.amount)) &* 0x100_0000_01B3
  }

  /// Folds events without a log.
  static func folding(_ deposits: some Sequence<Deposit>) -> [String: Savings] {
    var rows: [String: Savings] = [:]
    for deposit in deposits { try? rows[deposit.account, default: Savings()].apply(deposit) }
    return rows
  }
}

typealias LoggedSavings = LoggedAggregator<String, Savings>

extension LoggedSavings {
  /// An aggregator whose time is virtual.
  static func opened(
    on log: any EventLog<Deposit>,
    as member: String = LoggedSavings.newMember(),
    at address: String? = nil,
    followingOthers isFollowing: Bool = false,
    every interval: Duration = .seconds(10),
    orAfter events: Int = 50_000,
    time: VirtualScheduler = VirtualScheduler(),
    states: Coding<Savings> = .codable,
    reacting reaction: (@Sendable (LogPosition, Deposit) async -> Void)? = nil
  ) async throws(LogError) -> LoggedSavings {
    try await LoggedSavings(
      by: \.account,
      initial: { _ in Savings() },
      keys: .codable,
      states: states,
      on: log,
      as: member,
      at: address,
      followingOthers: isFollowing,
      committingEvery: interval,
      orAfter: events,
      // The tests that move the time move it faster than a log gets on.
      restoringWithin: .seconds(1 << 40),
      scheduler: time,
      reacting: reaction
    )
  }

  /// A follower whose time is virtual.
  static func following(
    _ log: any EventLog<Deposit>,
    partitions: Set<Int>? = nil,
    time: VirtualScheduler = VirtualScheduler()
  ) async throws(LogError) -> LoggedSavings {
    try await LoggedSavings(
      following: log,
      partitions: partitions,
      by: \.account,
      initial: { _ in Savings() },
      restoringWithin: .seconds(1 << 40),
      scheduler: time
    )
  }

  /// Why a partition cannot be owned by an aggregator that is opened for that.
  static func failure(_ partition: Int = 0, on log: any EventLog<Deposit>) async throws -> LogError? {
    let accounts = try await opened(on: log)
    await accounts.shutdown()
    return accounts.failures[partition]
  }

  /// Appends an event and waits until it is folded.
  func deposit(_ amount: Int, to account: String) async throws(LogError) {
    try await folded(try await append(Deposit(account: account, amount: amount)))
  }
}

extension EventLog {
  /// All entries of a partition that are there now.
  func entries(in partition: Int) async throws(LogError) -> [Entry] {
    let newest = try await newest(in: partition)
    var found: [Entry] = []
    var batches = entries(of: partition, after: 0).makeAsyncIterator()
    var last = 0
    while last < newest, let batch = try await batches.next() {
      found += batch.entries.map(\.entry)
      last = batch.offsets.upperBound
    }
    return found
  }
}

/// Runs `body` while another task moves the time on.
func withMovingTime<Result>(
  _ time: VirtualScheduler,
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let mover = Task.detached {
    while !Task.isCancelled {
      for _ in 0..<20 {
        time.advance(by: .milliseconds(50))
        await Task.yield()
      }
      await pause()
    }
  }
  defer { mover.cancel() }
  return try await body()
}
