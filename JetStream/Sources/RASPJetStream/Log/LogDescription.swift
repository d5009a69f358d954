import RASPLogs
import RASPNATS

/// What was fixed when a log was made. It stands in the bucket, and is written when all streams are there.
struct LogDescription: Codable, Sendable {
  var format = 1
  var partitions: Int
  /// The lease of members, nanoseconds.
  var lease: Int64
}

extension LogDescription {
  /// Reads the description, or makes the log.
  ///
  /// - Parameter wanted: the number of partitions; `nil` for that of the log.
  static func opened(
    _ log: LogConnection,
    partitions wanted: Int?
  ) async throws(LogError) -> LogDescription {
    if let description = try await read(log) { return description }
    let description = LogDescription(partitions: max(1, wanted ?? 64), lease: log.options.lease.nanoseconds)
    for stream in description.streams(of: log) {
      try await log.retrying(nil) { () async throws(JetStreamError) in try await log.jetStream.makeStream(stream) }
    }
    // Of several that make the log at once, one has its description written.
    let bytes = JSON.encode(description)
    try await log.retrying(nil) { () async throws(JetStreamError) in
      do throws(JetStreamError) {
        _ = try await log.jetStream.store(
          bytes,
          to: log.names.description,
          headers: ["Nats-Expected-Last-Subject-Sequence": "0"]
        )
      } catch {
        guard let code = error.code, JetStreamError.Code.wrongLastSequence.contains(code) else { throw error }
      }
    }
    return try await read(log) ?? description
  }

  private static func read(_ log: LogConnection) async throws(LogError) -> LogDescription? {
    let stored = try await log.retrying(nil) { () async throws(JetStreamError) in
      do throws(JetStreamError) {
        return try await log.jetStream.newest(of: log.names.description, in: log.names.bucket, isDirect: false)
      } catch {
        if error.code == JetStreamError.Code.streamNotFound { return nil }
        throw error
      }
    }
    guard let stored, stored.operation == nil else { return nil }
    do {
      return try JSON.decode(from: stored.payload)
    } catch {
      let key = "the key \"log\" of the bucket \"\(log.name)\""
      throw .refused(log: log.name, partition: nil, reason: "\(key) is not that of a log: \(error)")
    }
  }

  private func streams(of log: LogConnection) -> [StreamConfiguration] {
    assert(partitions > 0 && lease > 0, "A log has partitions, and its members a lease.")
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
      stream.duplicateWindow = options.duplicateWindow.nanoseconds
      stream.allowAtomic = log.hasBatches ? true : nil
      return stream
    }
    return ([checkpoints, members] + partitions).map { stream in
      var stream = stream
      stream.numReplicas = options.replicas
      return stream
    }
  }
}
