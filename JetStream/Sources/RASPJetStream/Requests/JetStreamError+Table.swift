/// What each error of a server means. It is decided here alone, so this is also where it can be read.
extension JetStreamError {
  /// What is known after an error of a server, and what is done.
  enum Meaning: Sendable {
    /// Nothing was done. The one who has asked goes on in another way.
    case otherwise
    /// As ``otherwise``, where the server has the only copy. Of several servers, one that leads no more may say so of
    /// what the others have stored.
    case compared
    /// Nothing was done. It is asked again until the time limit.
    case again
    /// Nothing was done, and will not be a moment later. The caller is told so.
    case refused
    /// As ``refused``, because there is no room.
    case full
    /// The server that was asked has no room. Where it has the only copy, nothing was done; of several servers, others
    /// may have stored it, and one of them leads a moment later. It is asked again until the time limit.
    case fullHere
    /// It was done, will be done, or was not done. It is asked again until the time limit.
    case unknown

    var isTemporary: Bool {
      switch self {
      case .again, .fullHere, .unknown: true
      case .otherwise, .compared, .refused, .full: false
      }
    }

    func isWithoutEffect(replicas: Int) -> Bool {
      switch self {
      case .otherwise, .again, .refused, .full: true
      case .compared, .fullHere: replicas == 1
      case .unknown: false
      }
    }
  }

  /// The numbers after which one goes on in another way.
  enum Code {
    /// There is no such message.
    static let noMessageFound = 10037
    /// There is a stream of this name that was made with something else.
    static let streamNameInUse = 10058
    static let streamNotFound = 10059
    /// The newest message is not the one that was expected to be.
    static let wrongLastMessage = 10070
    static let wrongLastSequence = 10071
    static let batchesDisabled = 10174
    /// A message of the batch is stored, so the batch was stored before.
    static let batchHasDuplicate = 10201
    /// A message could not be stored; the words tell why.
    static let storeFailed = 10077
  }

  /// The errors of the list of nats-server 2.15.1 (`server/errors.json`) that an append, a read, a commit, a membership
  /// or an opening can get. After any other one nothing is known: ``Meaning/unknown``.
  static let table: [Int: Meaning] = [
    Code.noMessageFound: .otherwise,
    Code.streamNameInUse: .otherwise,
    Code.streamNotFound: .otherwise,
    Code.wrongLastMessage: .compared,
    Code.wrongLastSequence: .compared,
    Code.batchesDisabled: .otherwise,
    Code.batchHasDuplicate: .otherwise,

    // Servers that start, choose a leader, are being exchanged or are too busy.
    10004: .again,  // "incomplete results"
    10005: .again,  // no peers for a stream, until all servers of a cluster are there
    10007: .again,  // "JetStream cluster not assigned to this server"
    10008: .again,  // "JetStream system temporarily unavailable"
    10009: .again,  // "JetStream cluster can not handle request"
    10035: .again,  // "account not found", also while a server learns of its accounts
    10039: .again,  // "JetStream not enabled for account", the same
    10076: .again,  // "JetStream not enabled"
    10118: .again,  // "stream is offline"
    10119: .again,  // "consumer is offline"
    10163: .again,  // "expected last sequence per subject temporarily unavailable"
    // "wrong last sequence", without a number: another message of the subject is in process, maybe the same one, of
    // which there was no answer. What has become of it is known later.
    10164: .again,
    10167: .again,  // "too many requests"
    10176: .again,  // "atomic publish batch is incomplete"
    10194: .again,  // "stream is offline", with a reason
    10195: .again,  // "consumer is offline", with a reason
    10202: .again,  // "cluster member change is in progress"
    10210: .again,  // "atomic publish too many inflight"
    10211: .again,  // "batch publish too many inflight"

    // Errors inside a server, which may come when others have stored it, or when something was made.
    10012: .unknown,  // making a consumer
    10041: .unknown,  // a decision of the servers of a cluster
    10048: .unknown,  // giving a stream to servers
    10049: .unknown,  // making a stream
    10051: .unknown,  // a stream
    10063: .unknown,  // "expected stream sequence does not match": this server lags behind what the others have stored
    10096: .unknown,  // "stream not valid"
    10104: .unknown,  // the files of a consumer
    10158: .unknown,  // "duplicate message id is in process": the same message, of which there was no answer

    10002: .fullHere,  // "resource limits exceeded for account"
    10023: .fullHere,  // "insufficient resources"

    10028: .full,  // "insufficient memory resources available"
    10047: .full,  // "insufficient storage resources available"

    // What a server or an account is configured for.
    10010: .refused,  // "JetStream clustering support required"
    10026: .refused,  // "maximum consumers limit reached"
    10027: .refused,  // "maximum number of streams reached"
    10053: .refused,  // limits of a stream
    10074: .refused,  // "replicas > 1 not supported in non-clustered mode"
    10113: .refused,  // "account requires a stream config to have max bytes set"
    10120: .refused,  // "no JetStream default or applicable tiered limit present"
    10122: .refused,  // "stream max bytes exceeds account limit max stream bytes"
    10153: .refused,  // "consumer inactive threshold exceeds system limit"
    // What others have made of the streams, or have in place of them.
    10052: .refused,  // a stream cannot be made so
    10054: .refused,  // "message size exceeds maximum allowed"
    10065: .refused,  // "subjects overlap with an existing stream"
    10081: .refused,  // "consumer deliver subject forms a cycle"
    10093: .refused,  // "consumer filter subject is not a valid subset of the interest subjects"
    10094: .refused,  // a consumer cannot begin so
    10109: .refused,  // "invalid operation on sealed stream"
    10112: .refused,  // "invalid push consumer deliver subject"
    10117: .refused,  // "subject details would exceed maximum allowed"
    10169: .refused,  // "message counter increment is missing"
    10199: .refused,  // "atomic publish batch is too large"
    // What this client does not send.
    10003: .refused,  // "bad request"
    10025: .refused,  // "invalid JSON"
    10083: .refused,  // "consumer idle heartbeat needs to be >= 100ms"
    10097: .refused,  // "header size exceeds maximum allowed of 64k"
    10175: .refused,  // "atomic publish sequence is missing"
    10177: .refused,  // "atomic publish unsupported header used"
    10179: .refused,  // "atomic publish batch ID is invalid"
    10193: .refused,  // "missing sequence for expected last sequence per subject"
    10200: .refused,  // "atomic publish batch commit is invalid"
  ]

  /// What ``Code/storeFailed`` says of a stream that has reached a limit. Any other word is of a disk, or of a server
  /// that stops, and others may have stored the message.
  static let limits: Set = [
    "maximum messages exceeded", "maximum bytes exceeded", "maximum messages per subject exceeded", "message too large",
  ]

  /// `nil` if it is no error of a server.
  var meaning: Meaning? {
    guard case .refused(let code, let reason) = self else { return nil }
    return code == Code.storeFailed && Self.limits.contains(reason) ? .full : Self.table[code] ?? .unknown
  }
}
