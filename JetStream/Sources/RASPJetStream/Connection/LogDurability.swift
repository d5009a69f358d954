import RASPLogs

/// What an acknowledgement of a ``JetStreamLog`` must mean.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum LogDurability: Sendable, Equatable {
  /// What the servers are configured for; ``JetStreamLog/acknowledgement`` tells what is known of it.
  case asTheServerIs

  /// The entry is on most of three servers at least. The log is refused if it has fewer replicas.
  case replicated
}

/// Whether entries of a log may be deleted by hand. A server never takes a denial back.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum LogDeletion: String, Codable, Sendable, Equatable {
  /// The streams of the partitions refuse every client to delete and to purge messages. What cannot be done then: to
  /// forget a person by deletion, and to make room by `nats stream purge` in a partition that is full.
  case denied
  /// Users with the permission may delete. It is what a new log has, because a denial can never be taken back; deny the
  /// subjects `$JS.API.STREAM.MSG.DELETE.>` and `$JS.API.STREAM.PURGE.>` to the users instead.
  case allowed
}

/// What an acknowledgement of a log means.
public struct LogAcknowledgement: Sendable, Equatable, CustomStringConvertible {
  /// How many servers have each entry. Most of them have it when it is acknowledged.
  public let replicas: Int

  /// A sentence in English.
  public var description: String {
    let servers = replicas == 1 ? "one server" : "\(replicas / 2 + 1) of \(replicas) servers"
    return """
      An entry that is acknowledged is in the files of \(servers), which sync their disks as they are configured: every two \
      minutes, unless `sync_interval` says otherwise.
      """
  }
}

extension LogAcknowledgement {
  /// - Parameter replicas: how many servers have each stream of the log, at least.
  /// - Errors: ``LogError/refused(log:partition:reason:)`` if that is less than is asked for.
  init(of log: LogConnection, replicas: Int) throws(LogError) {
    if log.options.durability == .replicated, replicas < 3 {
      let reason = "its entries have \(replicas) replica, and `.replicated` needs 3. Make a log with `replicas: 3`."
      throw .refused(log: log.name, partition: nil, reason: reason)
    }
    self.replicas = replicas
  }
}
