public import RASPJournal
public import RASPLogs
public import Streams

/// A log over another one that goes wrong as logs on other machines do: it loses answers, delays, says things twice,
/// leaves entries out, deposes owners and goes back.
///
///     let time = VirtualScheduler()
///     let log = FaultyLog(MemoryLog<Reading>(partitions: 4), seed: 7, on: time)
///     …
///     log.isFaulty = false      // from here on it does what the log below does
///
/// What it does to the first, second, third … call of a kind to a partition depends on the seed alone. Nothing that is
/// acknowledged is lost, unless ``goBack(_:to:)`` is called.
///
/// - Concurrency: every member may be called from any task. A test has to move the time, or delayed calls wait for
///   ever.
public final class FaultyLog<Base: EventLog>: EventLog {
  /// What is appended.
  public typealias Entry = Base.Entry

  /// The log below.
  public let base: Base

  private let seed: UInt64
  private let faults: LogFaults
  private let scheduler: any Scheduler
  private let state = Lock(State())

  private struct State: Sendable {
    var isFaulty = true
    var calls: [Call: UInt64] = [:]
    /// The newest entry of partitions that have gone back.
    var newest: [Int: Int] = [:]
  }

  private struct Call: Hashable, Sendable {
    var kind: UInt64
    var partition: Int
  }

  /// Makes a log that is as faulty as `faults` says.
  ///
  /// - Parameters:
  ///   - base: the log below.
  ///   - seed: another one has other calls fail.
  ///   - faults: how often what happens.
  ///   - scheduler: the time of delays.
  public init(_ base: Base, seed: UInt64, faults: LogFaults = .often, on scheduler: any Scheduler) {
    self.base = base
    self.seed = seed
    self.faults = faults
    self.scheduler = scheduler
  }

  /// Whether anything goes wrong. What ``goBack(_:to:)`` has done stays.
  public var isFaulty: Bool {
    get { state.withLock { $0.isFaulty } }
    set { state.withLock { $0.isFaulty = newValue } }
  }

  /// Loses the newest entries of a partition, as if an older copy of the log had been put in its place. Nothing can be
  /// appended to the partition from then on.
  ///
  /// - Parameters:
  ///   - partition: the partition that loses its newest entries.
  ///   - offset: the newest entry that is left.
  public func goBack(_ partition: Int, to offset: Int) {
    state.withLock { $0.newest[partition] = offset }
  }

  /// The name of the log below.
  public var name: String { base.name }
  /// The number of partitions.
  public var partitions: Int { base.partitions }
  /// That of the log below.
  public var poison: PoisonPolicy { base.poison }

  /// Appends entries; see ``/RASPLogs/EventLog/append(_:to:)``.
  @discardableResult
  public func append(_ entries: [Entry], to partition: Int) async throws(LogError) -> Int {
    if newestLeft(in: partition) != nil { throw .unavailable(log: name, reason: "the log has gone back") }
    var chances = chances(.append, partition)
    try await begin(&chances, partition)
    let offset = try await base.append(entries, to: partition)
    try await end(&chances, partition)
    return offset
  }

  /// The offset of the newest entry; 0 if there is none.
  public func newest(in partition: Int) async throws(LogError) -> Int {
    var chances = chances(.newest, partition)
    try await begin(&chances, partition)
    let newest = try await base.newest(in: partition)
    return min(newest, newestLeft(in: partition) ?? newest)
  }

  /// The entries behind an offset, and those that come; see
  /// ``/RASPLogs/EventLog/entries(of:after:identified:)``.
  public func entries(
    of partition: Int,
    after offset: Int,
    identified identity: EntryIdentity
  ) -> LogEntries<Entry> {
    LogEntries { [self] in
      let reader = FaultyReader(of: base.entries(of: partition, after: offset, identified: identity), after: offset)
      return { () async throws(LogError) -> LogBatch<Entry>? in
        try await reader.next {
          self.newestLeft(in: partition)
        } faults: { () async throws(LogError) -> LogReadFault in
          var chances = self.chances(.read, partition)
          try await self.begin(&chances, partition)
          if chances.next() < chances.faults.repeats { return .again }
          return chances.next() < chances.faults.gaps ? .gap : .none
        } wentBack: { newest, wanted in
          .wentBack(log: self.name, partition: partition, newest: newest, wanted: wanted)
        }
      }
    }
  }

  /// The identity of an entry.
  public func identity(of offset: Int, in partition: Int) async throws(LogError) -> EntryIdentity {
    var chances = chances(.identity, partition)
    try await begin(&chances, partition)
    return try await base.identity(of: offset, in: partition)
  }

  /// The record of a partition.
  public func committed(_ partition: Int) async throws(LogError) -> LogRecord {
    var chances = chances(.committed, partition)
    try await begin(&chances, partition)
    return try await base.committed(partition)
  }

  /// Replaces the record of a partition; see ``/RASPLogs/EventLog/commit(_:at:identified:to:replacing:)``.
  @discardableResult
  public func commit(
    _ rows: [UInt8],
    at offset: Int,
    identified identity: EntryIdentity,
    to partition: Int,
    replacing revision: LogRevision
  ) async throws(LogError) -> LogRevision {
    var chances = chances(.commit, partition)
    if chances.next() < chances.faults.depositions {
      let record = try await base.committed(partition)
      try await base.commit(
        record.rows,
        at: record.offset,
        identified: record.identity,
        to: partition,
        replacing: record.revision
      )
    }
    try await begin(&chances, partition)
    let next = try await base.commit(rows, at: offset, identified: identity, to: partition, replacing: revision)
    try await end(&chances, partition)
    return next
  }

  /// The partitions that a member should own; see ``/RASPLogs/EventLog/assignment(of:)``.
  public func assignment(of member: String) -> Observable<Set<Int>, Never> { base.assignment(of: member) }

  /// The owners of all partitions; see ``/RASPLogs/EventLog/owners(joining:)``.
  public func owners(joining member: LogOwner?) -> Observable<LogOwners, Never> { base.owners(joining: member) }

  /// The deleted ones of these offsets; see ``/RASPLogs/EventLog/deleted(_:of:)``.
  public func deleted(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> [ClosedRange<Int>] {
    try await base.deleted(offsets, of: partition)
  }

  /// Ends the log.
  public func close() async throws(LogError) { try await base.close() }

  // MARK: Faults

  private enum Kind: UInt64 {
    case append, newest, read, committed, commit, identity
  }

  private func newestLeft(in partition: Int) -> Int? { state.withLock { $0.newest[partition] } }

  private func chances(_ kind: Kind, _ partition: Int) -> LogChances {
    let call = Call(kind: kind.rawValue, partition: partition)
    let (number, isFaulty) = state.withLock { state in
      state.calls[call, default: 0] += 1
      return (state.calls[call, default: 0], state.isFaulty)
    }
    let place = UInt64(truncatingIfNeeded: partition) &* 6 &+ kind.rawValue
    return LogChances(seed: seed &+ place &* 0x1_0000_0000 &+ number, isFaulty ? faults : .never)
  }

  /// What happens before the log below is called.
  private func begin(_ chances: inout LogChances, _ partition: Int) async throws(LogError) {
    await delay(&chances)
    if chances.next() < chances.faults.outages { throw .unavailable(log: name, reason: "a fault") }
    if chances.next() < chances.faults.lostRequests { throw .unacknowledged(log: name, partition: partition) }
  }

  /// What happens to its answer.
  private func end(_ chances: inout LogChances, _ partition: Int) async throws(LogError) {
    await delay(&chances)
    if chances.next() < chances.faults.lostAnswers { throw .unacknowledged(log: name, partition: partition) }
  }

  private func delay(_ chances: inout LogChances) async {
    guard chances.next() < chances.faults.delays else { return }
    // A task that is cancelled goes on at once.
    try? await scheduler.sleep(until: scheduler.now + chances.faults.longestDelay * chances.next())
  }
}
