import NIOCore
import RASPJournal
import RASPLogs
import RASPNATS

extension StoredLog {
  /// Copies the log into a new one that ends earlier: JetStream cannot take back the newest entries of a stream, and
  /// owners would say that the log went back.
  ///
  /// Entries keep their order, their types and their bytes. The copy has times of its own, and where entries were
  /// deleted, other offsets; it has no records, so all is folded from the first entry. Where an entry comes from
  /// stands in the headers `RASP-Origin` and `RASP-Time`.
  ///
  /// - Parameters:
  ///   - ends: the last offset of partitions; the others are copied whole.
  ///   - copy: the name of the new log, on the same servers.
  package func cut(at ends: [Int: Int], to copy: String) async throws(LogError) -> [StoredLine] {
    for (partition, end) in ends {
      try connection.check(partition)
      let newest = try await connection.stream(of: partition).state.last
      guard (0...newest).contains(end) else {
        let reason = "it cannot be cut at \(end): its newest entry is \(newest)."
        throw .refused(log: name, partition: partition, reason: reason)
      }
    }
    let target = try await make(copy)
    var (copied, deleted) = (0, 0)
    for partition in 0..<partitions {
      guard let newest = try await stream(partition)?.state.last else { continue }
      let end = ends[partition] ?? newest
      if end == 0 { continue }
      var count = 0
      try await read(partition, 1...end) { entries async throws(LogError) in
        count += entries.count
        try await target.store(entries.map { request(for: $0, in: target) }, in: partition)
      }
      copied += count
      deleted += end - count
    }
    let gone = deleted > 0 ? "; \(deleted) were deleted, so offsets behind them are other" : ""
    return [
      StoredLine(
        "\(copied) entries are in the log \(copy)\(gone)",
        ["copied": copied, "deleted": deleted, "log": copy]
      )
    ]
  }

  /// Makes the log of the copy, with the settings of this one.
  private func make(_ name: String) async throws(LogError) -> Target {
    let names: LogNames
    do throws(LogNames.Invalid) {
      names = try LogNames(name)
    } catch {
      throw .refused(log: name, partition: nil, reason: error.reason)
    }
    var options = connection.options
    options.lease = lease
    options.heartbeat = max(JetStreamOptions.leastHeartbeat, min(options.heartbeat, options.lease / 2))
    options.deletion = deletion
    if let stream = try await stream(0)?.config {
      options.duplicateWindow = stream.duplicateWindow.map { .nanoseconds($0) }
      options.maxBytes = stream.maxBytes.flatMap { $0 > 0 ? $0 : nil }
    }
    let target = LogConnection(
      names,
      partitions: partitions,
      replicas: connection.replicas,
      connection.client,
      options
    )
    if try await LogDescription.read(target) != nil {
      throw .refused(log: name, partition: nil, reason: "there is such a log already. Give the copy another name.")
    }
    _ = try await LogDescription.opened(target, partitions: partitions, replicas: connection.replicas)
    return Target(log: target)
  }

  private func request(for entry: StoredEntry, in target: Target) -> NATSRequest {
    let names = target.log.names
    let rest = entry.subject.dropFirst(connection.names.subject(entry.partition).count)
    var headers = NATSHeaders()
    for (name, value) in entry.headers.fields where !name.hasPrefix("Nats-") { headers.append(value, to: name) }
    headers["RASP-Origin"] = "\(name)/\(entry.partition)/\(entry.offset)"
    headers["RASP-Time"] = entry.time
    // Sent again, it is known.
    headers["Nats-Msg-Id"] = "\(name)/\(entry.partition)/\(entry.offset)"
    return NATSRequest(entry.payload, to: names.subject(entry.partition) + rest, headers: headers)
  }

  /// The log into which entries are copied.
  private struct Target: Sendable {
    let log: LogConnection

    func store(_ requests: [NATSRequest], in partition: Int) async throws(LogError) {
      // One in flight, as in an `EntryStore`.
      for request in requests {
        _ = try await log.storing(partition) { jetStream async throws(JetStreamError) in
          try await jetStream.store(request.payload, to: request.subject, headers: request.headers)
        }
      }
    }
  }
}
