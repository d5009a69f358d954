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
  /// One of several servers has answered, and does not have what others have: it leads no more, or not yet.
  case outdated(reason: String)

  var code: Int? {
    if case .refused(let code, _) = self { code } else { nil }
  }

  /// Whether the same request may succeed a moment later.
  var isTemporary: Bool {
    switch self {
    // A task that is being cancelled tells its caller that nothing is known.
    case .connection(.cancelled): true
    case .connection(let error): error.isTemporary
    case .refused: meaning?.isTemporary == true
    case .unreadable: false
    case .outdated: true
    }
  }

  /// Whether it is known that the server has not stored anything.
  ///
  /// - Parameter replicas: how many servers have what was to be stored.
  func isWithoutEffect(replicas: Int) -> Bool {
    switch self {
    case .connection(.noResponders), .connection(.disconnected), .connection(.notSent), .connection(.notPermitted),
      .connection(.payloadTooLarge), .connection(.invalidSubject), .connection(.invalidHeader), .connection(.refused):
      true
    case .refused: meaning?.isWithoutEffect(replicas: replicas) == true
    default: false
    }
  }

  /// A part of a sentence.
  var reason: String {
    switch self {
    case .connection(let error): "\(error)"
    case .refused(let code, let reason): "\(reason) (JetStream error \(code))"
    case .unreadable(let reason), .outdated(let reason): reason
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
    switch (code, meaning) {
    case (Code.streamNotFound, _):
      return .refused(
        log: log,
        partition: partition,
        reason: "its stream is not in JetStream any more. Restore it, or use a log of another name."
      )
    case (Code.streamNameInUse, _):
      return .refused(
        log: log,
        partition: partition,
        reason: "a stream with one of its names is there already, and is another one. Use a log of another name."
      )
    case (_, .full):
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
