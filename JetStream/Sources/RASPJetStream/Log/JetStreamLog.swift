public import RASPJournal
public import RASPLogs
import RASPNATS
public import Streams

/// A log in NATS JetStream, for owners in many processes and on many machines.
///
/// ```swift
/// let log = try await JetStreamLog<Reading>("nats://127.0.0.1:4222", name: "readings")
/// let readings = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log)
/// ```
///
/// It needs a server with JetStream, best 2.12.3 or later: `nats-server -js`. In a log that was made with 2.12.2 or
/// later, entries that are appended together are stored as an atomic batch, which is faster.
///
/// ### What is in JetStream
///
/// Each partition is a stream, and the offset of an entry is its sequence. Rows and offset of each partition are one
/// key of a bucket, which is replaced only by a message that names its revision: an owner that was deposed cannot write
/// it. Members keep a key each in a second bucket, whose keys are gone after the lease.
///
/// An entry is a message of its own, so everything that publishes to NATS can append: an MQTT sensor, or `nats pub`. A
/// message to `readings.3`, or to any subject behind it, is an entry of partition 3. The server computes the partition
/// from the key, as ``/RASPLogs/PartitionKey`` does, with a line in its configuration:
///
/// ```
/// mappings = { "sensors.*": "readings.{{partition(64,1)}}.{{wildcard(1)}}" }
/// ```
///
/// Such a message is read with the first version of the coding. The server divides by the bytes of the subject, so a
/// key that is not ASCII stands there in its composed form (Unicode's NFC).
///
/// ### What is promised
///
/// - An entry that is acknowledged is in most of the servers that have replicas. A server writes it to its file at
///   once, and syncs the disk every two minutes; set `sync_interval: always` in its configuration if a machine may lose
///   power. The log does not check it.
/// - An append whose answer was lost is sent again until ``JetStreamOptions/timeLimit`` is over, and stored once,
///   because ``JetStreamOptions/duplicateWindow`` is longer.
/// - A log that has less than was seen by this process, or than a record has, is an error, also when it has grown again
///   or was made anew: an older copy of the store was put in place, or what was acknowledged was lost.
/// - Times are those of the server. If its clock goes back, the entries of a reader keep the last time until it is
///   reached.
///
/// ### Lifetime
///
/// ``close()`` ends the log, and tells the other members. A process that stops without it loses its partitions when its
/// lease is over.
///
/// - Concurrency: every member may be called from any task.
public final class JetStreamLog<Entry: Sendable>: EventLog {
  let connection: LogConnection
  private let coding: Coding<Entry>
  private let appenders: [Appender]
  private let checkpoints: [CheckpointStore]
  private let members = LogMembers()

  /// What becomes of an entry that cannot be used; see ``/RASPLogs/EventLog/poison``.
  public let poison: PoisonPolicy

  private let upkeep: LogUpkeep

  /// What an acknowledgement means; see ``JetStreamOptions/durability``.
  public let acknowledgement: LogAcknowledgement

  /// Opens a log, or makes it.
  ///
  /// - Parameters:
  ///   - servers: addresses such as `nats://127.0.0.1:4222`, of one cluster. More than one are separated by commas.
  ///   - name: the name of the log: letters, digits, `-` and `_`.
  ///   - partitions: how many there are to be: `nil` for those that are there, or 64 in a new log. Their number cannot
  ///     change, and there should be several for each process that is ever to share them.
  ///   - coding: how entries are written and read.
  ///   - replicas: how many servers of a cluster have each entry: 1, 3 or 5; `nil` for what the log was made with, and
  ///     for 1 in a new one.
  ///   - poison: what becomes of an entry that cannot be used.
  ///   - options: how the servers are reached, and how long is waited for what.
  /// - Errors: ``/RASPLogs/LogError/unavailable(log:reason:)`` if no server answers,
  ///   ``/RASPLogs/LogError/partitionCount(log:found:wanted:)``, and
  ///   ``/RASPLogs/LogError/refused(log:partition:reason:)`` if the log was made with something else than is asked for,
  ///   if the options do not go together, or if the log has fewer replicas than ``JetStreamOptions/durability`` asks
  ///   for.
  public init(
    _ servers: String,
    name: String,
    partitions: Int? = nil,
    coding: Coding<Entry>,
    replicas: Int? = nil,
    onPoison poison: PoisonPolicy = .stop,
    options: JetStreamOptions = JetStreamOptions()
  ) async throws(LogError) {
    self.poison = poison
    let names: LogNames
    do throws(LogNames.Invalid) {
      names = try LogNames(name)
    } catch {
      throw .refused(log: name, partition: nil, reason: error.reason)
    }
    let client: NATSClient
    do throws(NATSError) {
      let addresses = servers.split(separator: ",").map { $0.filter { $0 != " " } }
      client = try await NATSClient.connect(to: addresses, options: options.nats)
    } catch {
      throw JetStreamError.connection(error).logError(name, nil)
    }
    do throws(LogError) {
      let opening = LogConnection(names, partitions: 0, replicas: 1, client, options)
      let description = try await LogDescription.opened(opening, partitions: partitions, replicas: replicas)
      if let partitions, partitions != description.partitions {
        throw .partitionCount(log: name, found: description.partitions, wanted: partitions)
      }
      var options = options
      options.lease = .nanoseconds(description.lease)
      // Who opens a log does not choose its lease, so what goes with the lease is chosen here.
      options.heartbeat = max(JetStreamOptions.leastHeartbeat, min(options.heartbeat, options.lease / 2))
      let settings = try await LogSettings.found(
        opening,
        partitions: description.partitions,
        replicas: replicas,
        options
      )
      let connection = LogConnection(
        names,
        partitions: description.partitions,
        replicas: settings.replicas,
        client,
        options
      )
      acknowledgement = try LogAcknowledgement(of: connection, replicas: settings.leastReplicas)
      self.connection = connection
      self.coding = coding
      appenders = (0..<description.partitions).map {
        Appender(EntryStore(connection, $0, usesBatches: settings.batched.contains($0)))
      }
      checkpoints = (0..<description.partitions).map { CheckpointStore(connection, $0) }
      upkeep = LogUpkeep(connection)
    } catch {
      await client.close()
      throw error
    }
  }

  /// The name of the log.
  public var name: String { connection.name }

  /// The number of partitions.
  public var partitions: Int { connection.partitions.count }

  /// Appends entries; see ``/RASPLogs/EventLog/append(_:to:)``.
  @discardableResult
  public func append(_ entries: [Entry], to partition: Int) async throws(LogError) -> Int {
    try connection.check(partition)
    if entries.isEmpty { return try await newest(in: partition) }
    let encoded: [EncodedEntry]
    do throws(CodingError) {
      encoded = try EncodedEntry.encode(entries, with: coding)
    } catch {
      throw .coding(log: name, partition: partition, reason: error)
    }
    let most = connection.client.server.maxPayload
    if let entry = encoded.first(where: { $0.size > most }) {
      throw .refused(
        log: name,
        partition: partition,
        reason: """
          an entry of \(entry.payload.readableBytes) bytes is larger than the server takes. Make it smaller, or set \
          `max_payload` in the configuration of the server, which is \(most) now.
          """
      )
    }
    return try await connection.hooks.append(entries.count, to: partition) { () async throws(LogError) in
      try await appenders[partition].append(encoded)
    }
  }

  /// The offset of the newest entry; 0 if there is none.
  ///
  /// - Errors: ``/RASPLogs/LogError/wentBack(log:partition:newest:wanted:)`` if this process has seen a newer one.
  public func newest(in partition: Int) async throws(LogError) -> Int {
    try connection.check(partition)
    return try await connection.stream(of: partition, expecting: checkpoints[partition].offset).state.last
  }

  /// The entries behind an offset, and those that come; see
  /// ``/RASPLogs/EventLog/entries(of:after:identified:)``. While the servers cannot be reached, a reader waits.
  public func entries(
    of partition: Int,
    after offset: Int,
    identified identity: EntryIdentity
  ) -> LogEntries<Entry> {
    LogEntries { [connection, coding, checkpoints, poison] in
      guard connection.partitions.indices.contains(partition) else {
        return { () async throws(LogError) -> LogBatch<Entry>? in
          try connection.check(partition)
          return nil
        }
      }
      let reader = PartitionReader(
        of: partition,
        after: offset,
        identified: identity,
        coding: coding,
        checkpoint: checkpoints[partition],
        onPoison: poison,
        connection
      )
      return { () async throws(LogError) -> LogBatch<Entry>? in try await reader.next() }
    }
  }

  /// The identity of an entry: its time in nanoseconds, and the id of its message.
  ///
  /// Of an entry that was deleted only that of the record is known, if the stream is still the one of then.
  public func identity(of offset: Int, in partition: Int) async throws(LogError) -> EntryIdentity {
    try connection.check(partition)
    let stream = try await connection.stream(of: partition)
    guard (1...max(1, stream.state.last)).contains(offset), stream.state.last > 0 else { return .unknown }
    let name = connection.names.stream(partition)
    let identity = try await connection.retrying(partition) { jetStream async throws(JetStreamError) in
      try await jetStream.identity(of: offset, in: name)
    }
    if let identity { return identity }
    return try await checkpoints[partition].identity(of: offset, created: stream.creation)
  }

  /// Which entries were deleted inside a partition. What a server has lost by damage of its files is not among them,
  /// and neither is what was in front of the oldest entry that is left: a server tells the same of entries that were
  /// deleted there, purged and lost.
  public func deleted(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> [ClosedRange<Int>] {
    try connection.check(partition)
    return try await DeletedEntries(log: connection).ranges(offsets, of: partition)
  }

  /// The record of a partition.
  public func committed(_ partition: Int) async throws(LogError) -> LogRecord {
    try connection.check(partition)
    return try await checkpoints[partition].read()
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
    try connection.check(partition)
    return try await connection.hooks.commit(to: partition) { () async throws(LogError) in
      try await checkpoints[partition].write(rows, at: offset, identified: identity, replacing: revision)
    }
  }

  /// The partitions that a member should own; see ``/RASPLogs/EventLog/assignment(of:)``.
  ///
  /// A member that has no connection keeps its partitions. The others divide them when its lease is over, and then it
  /// cannot commit any more.
  public func assignment(of member: String) -> Observable<Set<Int>, Never> {
    owners(joining: LogOwner(member)).map { $0.partitions(of: member) }.distinctUntilChanged()
  }

  /// The owners of all partitions; see ``/RASPLogs/EventLog/owners(joining:)``. The address of a member is beside its
  /// lease.
  public func owners(joining member: LogOwner?) -> Observable<LogOwners, Never> {
    members.owners(joining: member, in: connection)
  }

  /// Ends the log: tells the other members, and closes the connection.
  public func close() async throws(LogError) {
    guard connection.end() else { return }
    await members.close()
    for reader in connection.readers.all { reader.interrupt() }
    await connection.client.close()
  }
}
