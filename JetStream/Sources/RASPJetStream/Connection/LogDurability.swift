/// What an acknowledgement of a ``JetStreamLog`` must mean.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum LogDurability: Sendable, Equatable {
  /// What the servers are configured for; ``JetStreamLog/acknowledgement`` tells what is known of it.
  case asTheServerIs

  /// The entry is on most of three servers at least. The log is refused if it has fewer replicas.
  case replicated

  /// Each server that has entries of the log syncs its disk before it acknowledges (`sync_interval: always`). A log is
  /// refused if one of its servers does not prove that when the log is opened.
  case synced(proof: Proof)

  /// What proves that a server syncs.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Proof: Sendable, Equatable {
    /// The monitoring addresses (`http_port`) of all servers of the log, such as `http://10.0.0.1:8222`. Each is asked
    /// for its configuration.
    case monitoring([String])
  }
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

/// What an acknowledgement of a log means, as far as it was looked at.
public struct LogAcknowledgement: Sendable, Equatable, CustomStringConvertible {
  /// How many servers have each entry. Most of them have it when it is acknowledged.
  public let replicas: Int
  /// Whether each of them has proved that it syncs its disk before it acknowledges.
  public let isSynced: Bool

  /// A sentence in English.
  public var description: String {
    let servers = replicas == 1 ? "one server" : "\(replicas / 2 + 1) of \(replicas) servers"
    return isSynced
      ? "An entry that is acknowledged is on the disk of \(servers)."
      : """
      An entry that is acknowledged is in the files of \(servers), which sync their disks as they are configured: every two \
      minutes, unless `sync_interval` says otherwise.
      """
  }
}
