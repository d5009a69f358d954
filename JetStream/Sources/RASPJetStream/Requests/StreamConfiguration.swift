/// What a stream is made with. Times are nanoseconds; what is `nil` is not sent, so that older servers understand it.
struct StreamConfiguration: Codable, Sendable {
  var name: String
  var subjects: [String]
  var storage = "file"
  var replicas = 1
  var discard = "new"
  var duplicateWindow: Int64?
  var maxAge: Int64?
  var maxBytes: Int?
  var maxPerSubject: Int?
  var allowsDirect = true
  var allowsAtomic: Bool?

  private enum CodingKeys: String, CodingKey {
    case name, subjects, storage, discard
    case replicas = "num_replicas"
    case duplicateWindow = "duplicate_window"
    case maxAge = "max_age"
    case maxBytes = "max_bytes"
    case maxPerSubject = "max_msgs_per_subject"
    case allowsDirect = "allow_direct"
    case allowsAtomic = "allow_atomic"
  }
}

/// What JetStream tells about a stream.
struct StreamInformation: Decodable, Sendable {
  struct State: Decodable, Sendable {
    /// The oldest entry that is there.
    var first: Int
    /// The newest entry, also if it was removed.
    var last: Int

    private enum CodingKeys: String, CodingKey {
      case first = "first_seq"
      case last = "last_seq"
    }
  }

  var state: State
}

/// What a consumer is made with.
///
/// It is pushed and never acknowledged: JetStream keeps nothing about it that is not lost with the connection.
struct ConsumerConfiguration: Encodable, Sendable {
  var deliverSubject: String
  /// `by_start_sequence`, or `last_per_subject`.
  var deliverPolicy: String
  var start: Int?
  /// Is needed for `last_per_subject`.
  var filter: String?
  var heartbeat: Int64
  var flowControl = true
  var acknowledgement = "none"
  var deliveries = 1
  var replicas = 1
  var isInMemory = true
  /// The time after which JetStream forgets a consumer whose subject has no subscription.
  var inactivity: Int64 = 5_000_000_000

  private enum CodingKeys: String, CodingKey {
    case deliverSubject = "deliver_subject"
    case deliverPolicy = "deliver_policy"
    case start = "opt_start_seq"
    case filter = "filter_subject"
    case heartbeat = "idle_heartbeat"
    case flowControl = "flow_control"
    case acknowledgement = "ack_policy"
    case deliveries = "max_deliver"
    case replicas = "num_replicas"
    case isInMemory = "mem_storage"
    case inactivity = "inactive_threshold"
  }
}
