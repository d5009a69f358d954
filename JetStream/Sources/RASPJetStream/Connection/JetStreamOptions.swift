public import Logging
import RASPLogs
public import RASPNATS

/// How a ``JetStreamLog`` is made and used.
public struct JetStreamOptions: Sendable {
  /// How the servers are reached.
  public var nats = NATSOptions()

  /// What an acknowledgement must mean. A log that does not do so is not opened.
  public var durability = LogDurability.asTheServerIs

  /// Whether entries may be deleted by hand; `nil` for what the log was made with, and ``LogDeletion/allowed`` in a new
  /// one.
  public var deletion: LogDeletion?

  /// The number of bytes that a partition may have; `nil` for what the log was made with, and if only the server limits
  /// it. A partition that is full refuses entries.
  public var maxBytes: Int?

  /// How long JetStream knows the entries that it has stored. Within this time an entry that is sent again is not
  /// stored again, so it must be longer than ``timeLimit``. `nil` stands for what the log was made with, and for 120
  /// seconds in a new one.
  public var duplicateWindow: Duration?

  /// How long a call tries before it throws. An entry is not sent again after that.
  public var timeLimit: Duration = .seconds(30)

  /// The time after which a member that does not renew its lease has lost its partitions. It counts when the log is
  /// made: all members have that one.
  public var lease: Duration = .seconds(5)

  /// How often JetStream says that it has nothing to say. A reader that hears nothing in two of these times reads anew.
  /// At least a tenth of a second, and at most half of the lease.
  public var heartbeat: Duration = .seconds(2)

  /// To which it is written what becomes of owners and members; nowhere, if you say nothing. That of connections is
  /// written to ``/RASPNATS/NATSOptions/logger`` of ``nats``.
  ///
  /// | level | what |
  /// |---|---|
  /// | error | partitions and members that cannot be read, commits that have failed |
  /// | warning | leases that could not be renewed, deposed owners, commits that took longer than the lease |
  /// | info | partitions that go to another member |
  /// | debug | what is tried again |
  public var logger = Logger(label: "rasp.jetstream", factory: { _ in SwiftLogNoOpLogHandler() })

  /// How long is waited before what has failed is tried again.
  var pause: Duration = .milliseconds(50)

  /// Makes options with the standard values.
  public init() {}
}

extension JetStreamOptions {
  /// The shortest interval at which JetStream says that it has nothing to say.
  static let leastHeartbeat = Duration.milliseconds(100)
  /// The duplicate window of a new log.
  static let standardWindow = Duration.seconds(120)

  /// Finds times that do not go together.
  ///
  /// - Parameter window: the duplicate window of the log; `nil` before it is known.
  func check(_ log: String, window: Duration? = nil) throws(LogError) {
    let window = window ?? duplicateWindow ?? Self.standardWindow
    let reason: String? =
      if timeLimit <= .zero {
        "`timeLimit` is \(timeLimit), and a call needs time."
      } else if window <= timeLimit {
        """
        `duplicateWindow` is \(window) and `timeLimit` \(timeLimit): an entry that is sent again after the window would be \
        there twice. Give it a longer window, or a shorter limit.
        """
      } else if heartbeat < Self.leastHeartbeat {
        "`heartbeat` is \(heartbeat), and JetStream takes no less than \(Self.leastHeartbeat)."
      } else if lease < heartbeat * 2 {
        """
        `lease` is \(lease) and `heartbeat` \(heartbeat): two heartbeats must come in a lease, or a member takes the \
        partitions of others that are there. Give it a longer lease, or a shorter heartbeat.
        """
      } else if let maxBytes, maxBytes < 1 {
        "`maxBytes` is \(maxBytes), and a partition needs room."
      } else {
        nil
      }
    if let reason { throw .refused(log: log, partition: nil, reason: reason) }
  }
}

extension Duration {
  /// As JetStream counts time.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow
      ? .max : seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
