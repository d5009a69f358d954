import RASPLogs
import RASPNATS

/// Why JetStream has not done what it was asked for.
enum JetStreamError: Error, Sendable {
  /// There was no answer, or no connection.
  case connection(NATSError)
  /// JetStream has refused it, with one of its numbers.
  case refused(code: Int, reason: String)
  /// The answer is none that is known here.
  case unreadable(reason: String)

  /// The numbers of JetStream that matter here.
  enum Code {
    static let streamNotFound = 10059
    static let streamNameInUse = 10058
    static let noMessageFound = 10037
    static let batchesDisabled = 10174
    static let batchHasDuplicate = 10201
    static let wrongLastSequence: Set = [10071, 10164]
    /// JetStream starts, has no leader, is too busy, or drops a batch that was not finished in time.
    static let temporary: Set = [10008, 10009, 10076, 10118, 10176, 10202, 10210, 10211]
    /// There is no room: on the disk of the server, or in what the stream or the account may have.
    static let noRoom: Set = [10002, 10023, 10028, 10047, 10077]
  }

  var code: Int? {
    if case .refused(let code, _) = self { code } else { nil }
  }

  /// Whether the same request may succeed a moment later.
  var isTemporary: Bool {
    switch self {
    // A task that is being cancelled tells its caller that nothing is known.
    case .connection(.cancelled): true
    case .connection(let error): error.isTemporary
    case .refused(let code, _): Code.temporary.contains(code)
    case .unreadable: false
    }
  }

  /// Whether it is known that the server has not stored anything.
  var isWithoutEffect: Bool {
    switch self {
    case .connection(.noResponders), .connection(.disconnected), .connection(.notSent), .connection(.notPermitted),
      .refused:
      true
    default: false
    }
  }

  /// A part of a sentence.
  var reason: String {
    switch self {
    case .connection(let error): "\(error)"
    case .refused(let code, let reason): "\(reason) (JetStream error \(code))"
    case .unreadable(let reason): reason
    }
  }
}

extension JetStreamError {
  /// The error as a caller of the log gets it.
  ///
  /// - Parameter partition: `nil` if it concerns the whole log.
  func logError(_ log: String, _ partition: Int?) -> LogError {
    if case .connection(.closed) = self { return .closed(log: log) }
    if isTemporary { return .unavailable(log: log, reason: reason) }
    switch code {
    case Code.streamNotFound:
      return .refused(
        log: log,
        partition: partition,
        reason: "its stream is not in JetStream any more. Restore it, or use a log of another name."
      )
    case Code.streamNameInUse:
      return .refused(
        log: log,
        partition: partition,
        reason: "a stream with one of its names is there already, and is another one. Use a log of another name."
      )
    case let code? where Code.noRoom.contains(code):
      return .refused(
        log: log,
        partition: partition,
        reason: """
          JetStream has no room: \(reason). Give the log more with `maxBytes`, or the server with `max_file_store` or a \
          larger disk, or remove entries that every record has.
          """
      )
    default:
      return .refused(log: log, partition: partition, reason: reason.hasSuffix(".") ? reason : "\(reason).")
    }
  }
}
