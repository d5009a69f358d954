public import RASPNATS

/// How a ``JetStreamLog`` is made and used.
public struct JetStreamOptions: Sendable {
  /// How the servers are reached.
  public var nats = NATSOptions()

  /// The number of bytes that a partition may have; `nil` if only the server limits it. A partition that is full
  /// refuses entries. It counts when the log is made.
  public var maxBytes: Int?

  /// How long JetStream knows the entries that it has stored. Within this time an entry that is sent again is not
  /// stored again, so it must be longer than ``timeLimit``. It counts when the log is made.
  public var duplicateWindow: Duration = .seconds(120)

  /// How long a call tries before it throws.
  public var timeLimit: Duration = .seconds(30)

  /// The time after which a member that does not renew its lease has lost its partitions. It counts when the log is
  /// made, and must be the same for all members.
  public var lease: Duration = .seconds(5)

  /// How often JetStream says that it has nothing to say. A reader that hears nothing in two of these times reads anew.
  public var heartbeat: Duration = .seconds(2)

  /// The number of replicas, which is set by the parameter of the log.
  var replicas = 1

  /// How long is waited before what has failed is tried again.
  var pause: Duration = .milliseconds(50)

  /// Makes options with the standard values.
  public init() {}
}

extension Duration {
  /// As JetStream counts time.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow
      ? .max : seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
