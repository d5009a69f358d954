import RASPLogs
import RASPNATS

/// What was fixed when a log was made. It stands in the bucket, and is written when all streams are there.
struct LogDescription: Codable, Sendable {
  /// What this version writes and reads.
  static let presentFormat = 1
  /// The greatest number of partitions. Each is a stream, of which a server cannot have more.
  static let greatestPartitions = 10_000

  var format = LogDescription.presentFormat
  var partitions: Int
  /// The lease of members, nanoseconds.
  var lease: Int64
  /// Whether entries may be deleted. The servers know it, too; a later version may read it here only.
  var deletion: LogDeletion?
}

extension LogDescription {
  /// Reads the description, or makes the log.
  ///
  /// - Parameter wanted: the number of partitions; `nil` for that of the log.
  static func opened(
    _ log: LogConnection,
    partitions wanted: Int?,
    replicas: Int?
  ) async throws(LogError) -> LogDescription {
    try log.options.check(log.name)
    if let wanted, !(1...greatestPartitions).contains(wanted) {
      throw refused(log, "a log has from 1 to \(greatestPartitions) partitions, and not \(wanted).")
    }
    if let replicas, !(1...5).contains(replicas) {
      throw refused(log, "entries have from 1 to 5 replicas, and not \(replicas).")
    }
    if let description = try await read(log) { return description }
    if let rest = try await Rest.found(of: log) {
      // Another one may have made the log meanwhile.
      if let description = try await read(log) { return description }
      // The description can be put back where its bucket is.
      let buckets = rest.description.streams(of: log, replicas: rest.replicas).prefix(2)
      for bucket in buckets where !rest.names.contains(bucket.name) { try await make(bucket, of: log) }
      throw withoutDescription(log, rest)
    }
    let description = LogDescription(
      partitions: wanted ?? 64,
      lease: log.options.lease.nanoseconds,
      deletion: log.options.deletion ?? .allowed
    )
    for stream in description.streams(of: log, replicas: replicas ?? 1) { try await make(stream, of: log) }
    // Of several that make the log at once, one has its description written. In place of a deleted one is a message.
    let deleted = try await newest(log).flatMap { $0.isRemoved ? $0.sequence : nil } ?? 0
    let bytes = JSON.encode(description)
    try await log.retrying(nil) { jetStream async throws(JetStreamError) in
      do throws(JetStreamError) {
        _ = try await jetStream.store(
          bytes,
          to: log.names.description,
          headers: ["Nats-Expected-Last-Subject-Sequence": String(deleted)]
        )
      } catch {
        guard error.code == JetStreamError.Code.wrongLastSequence else { throw error }
      }
    }
    guard let written = try await read(log) else {
      throw .unavailable(log: log.name, reason: "its description was deleted while it was made")
    }
    return written
  }

  private static func make(_ stream: StreamConfiguration, of log: LogConnection) async throws(LogError) {
    try await log.retrying(nil) { jetStream async throws(JetStreamError) in try await jetStream.makeStream(stream) }
  }

  /// What is left of a log that has entries, and no description.
  private struct Rest {
    /// All streams of the servers.
    var names: Set<String>
    /// As far as the streams show it. Those without an entry may be left of another log.
    var description: LogDescription
    var leastPartitions: Int
    var replicas: Int

    /// - Returns: `nil` if no stream of a partition has had an entry.
    static func found(of log: LogConnection) async throws(LogError) -> Rest? {
      let names = Set(
        try await log.retrying(nil) { jetStream async throws(JetStreamError) in try await jetStream.streamNames() }
      )
      let partitions = (0..<greatestPartitions).filter { names.contains(log.names.stream($0)) }
      let streams = try await LogSettings.streams([log.names.members] + partitions.map(log.names.stream), of: log)
      let used = partitions.indices.last { (streams[$0 + 1]?.state.last ?? 0) > 0 }
      guard let used, let last = partitions.last else { return nil }
      let lease = streams[0]?.config.maxAge ?? log.options.lease.nanoseconds
      return Rest(
        names: names,
        description: LogDescription(partitions: last + 1, lease: lease),
        leastPartitions: partitions[used] + 1,
        replicas: streams[used + 1]?.config.replicas ?? 1
      )
    }
  }

  /// The partition of a key depends on the number of partitions, which stands nowhere else.
  private static func withoutDescription(_ log: LogConnection, _ rest: Rest) -> LogError {
    let (least, most) = (rest.leastPartitions, rest.description.partitions)
    let others = least == most ? "" : ", and at least \(least): the streams behind have no entry, and may be left over"
    return refused(
      log,
      """
      it has entries, and its description is gone, which is the key "log" of the bucket "\(log.name)". Put it back, \
      with the partitions and the lease in nanoseconds with which the log was made; its streams are those of \
      \(most) partitions\(others): `nats kv put \(log.name) log \
      '{"format":\(presentFormat),"partitions":\(most),"lease":\(rest.description.lease)}'`.
      """
    )
  }

  /// The description of a log; `nil` if there is no such log.
  static func read(_ log: LogConnection) async throws(LogError) -> LogDescription? {
    guard let stored = try await newest(log), !stored.isRemoved else { return nil }
    struct Format: Decodable { var format: Int }
    let key = "the key \"log\" of the bucket \"\(log.name)\""
    let description: LogDescription
    do {
      // A later version may write other fields.
      let format = try JSON.decode(Format.self, from: stored.payload).format
      guard format <= presentFormat else {
        throw LogError.refused(
          log: log.name,
          partition: nil,
          reason: """
            the log was made by a later version: \(key) has the format \(format), and this version reads \(presentFormat). \
            Use the later version.
            """
        )
      }
      description = try JSON.decode(from: stored.payload)
    } catch let error as LogError {
      throw error
    } catch {
      throw refused(log, "\(key) is not that of a log: \(error)")
    }
    guard (1...greatestPartitions).contains(description.partitions), description.lease > 0 else {
      throw refused(log, "\(key) is not that of a log: it has \(description.partitions) partitions.")
    }
    return description
  }

  /// The newest message of the key.
  private static func newest(_ log: LogConnection) async throws(LogError) -> JetStream.Stored? {
    try await log.retrying(nil) { jetStream async throws(JetStreamError) in
      do throws(JetStreamError) {
        return try await jetStream.newest(of: log.names.description, in: log.names.bucket)
      } catch {
        if error.code == JetStreamError.Code.streamNotFound { return nil }
        throw error
      }
    }
  }

  /// The two buckets, and the streams of the partitions.
  private func streams(of log: LogConnection, replicas: Int) -> [StreamConfiguration] {
    let (names, options) = (log.names, log.options)
    var checkpoints = StreamConfiguration(name: names.bucket, subjects: ["$KV.\(names.log).>"])
    checkpoints.maxMsgsPerSubject = 1
    var members = StreamConfiguration(name: names.members, subjects: [names.allMembers])
    members.maxMsgsPerSubject = 1
    members.maxAge = lease
    members.duplicateWindow = lease
    let partitions = (0..<partitions).map { partition in
      var stream = StreamConfiguration(name: names.stream(partition), subjects: names.subjects(partition))
      stream.maxBytes = options.maxBytes
      stream.duplicateWindow = (options.duplicateWindow ?? JetStreamOptions.standardWindow).nanoseconds
      stream.allowAtomic = log.client.server.isAtLeast(2, 12, 2) ? true : nil
      if deletion == .denied { (stream.denyDelete, stream.denyPurge) = (true, true) }
      return stream
    }
    return ([checkpoints, members] + partitions).map { stream in
      var stream = stream
      stream.numReplicas = replicas
      return stream
    }
  }

  static func refused(_ log: LogConnection, _ reason: String) -> LogError {
    .refused(log: log.name, partition: nil, reason: reason)
  }
}
