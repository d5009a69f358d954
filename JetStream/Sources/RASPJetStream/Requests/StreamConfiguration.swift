/// What a stream is made with, in the names of JetStream. Times are nanoseconds; what is `nil` is not sent, so that
/// older servers understand it.
struct StreamConfiguration: Encodable, Sendable {
  var name: String
  var subjects: [String]
  var storage = "file"
  var numReplicas = 1
  var discard = "new"
  var duplicateWindow: Int64?
  var maxAge: Int64?
  var maxBytes: Int?
  var maxMsgsPerSubject: Int?
  var allowDirect = true
  var allowAtomic: Bool?
  var denyDelete: Bool?
  var denyPurge: Bool?
}

/// What JetStream tells about a stream.
struct StreamInformation: Decodable, Sendable {
  struct State: Decodable, Sendable {
    /// The oldest entry that is there.
    var first: Int
    /// The newest entry, also if it was removed.
    var last: Int

    /// How many messages there are, and how many bytes they have.
    var messages: Int?
    var bytes: Int?

    /// The messages inside the stream that were deleted, if they were asked for.
    var deleted: [Int]?
    /// Those that the server has lost, because its files were damaged.
    var lost: Lost?

    struct Lost: Decodable, Sendable {
      var messages: [Int]?

      private enum CodingKeys: String, CodingKey { case messages = "msgs" }
    }

    private enum CodingKeys: String, CodingKey {
      case first = "first_seq"
      case last = "last_seq"
      case messages, bytes, deleted, lost
    }
  }

  /// What the stream was made with.
  struct Configuration: Decodable, Sendable {
    var subjects: [String]?
    var replicas: Int
    /// In nanoseconds, as `maxAge`.
    var duplicateWindow: Int64?
    var maxAge: Int64?
    var maxBytes: Int?
    var deniesDeletion: Bool?
    var deniesPurging: Bool?
    /// Whether it takes atomic batches. Servers before 2.12 do not tell it.
    var takesBatches: Bool?

    private enum CodingKeys: String, CodingKey {
      case subjects
      case replicas = "num_replicas"
      case duplicateWindow = "duplicate_window"
      case maxAge = "max_age"
      case maxBytes = "max_bytes"
      case deniesDeletion = "deny_delete"
      case deniesPurging = "deny_purge"
      case takesBatches = "allow_atomic"
    }
  }

  /// The servers that have the stream.
  struct Cluster: Decodable, Sendable {
    struct Peer: Decodable, Sendable { var name: String }

    var leader: String?
    var replicas: [Peer]?
  }

  var state: State
  var config: Configuration
  var cluster: Cluster?
  /// When it was made.
  var created: String

  /// Nanoseconds since 1970; 0 if the text cannot be read.
  var creation: Int64 { ServerTime.nanoseconds(created) ?? 0 }
}

/// What a consumer is made with, in the names of JetStream.
///
/// It is pushed and never acknowledged: JetStream keeps nothing about it that is not lost with the connection.
struct ConsumerConfiguration: Encodable, Sendable {
  var deliverSubject: String
  /// `by_start_sequence`, or `last_per_subject`.
  var deliverPolicy: String
  var optStartSeq: Int?
  /// Is needed for `last_per_subject`.
  var filterSubject: String?
  var idleHeartbeat: Int64
  var flowControl = true
  var ackPolicy = "none"
  var maxDeliver = 1
  var numReplicas = 1
  var memStorage = true
  /// The time after which JetStream forgets a consumer whose subject has no subscription.
  var inactiveThreshold: Int64 = 5_000_000_000
}
