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
