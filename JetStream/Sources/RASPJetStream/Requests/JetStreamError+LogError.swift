import RASPJournal
import RASPNATS

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
      return .refused(log: log, partition: partition, reason: "\(reason).")
    }
  }
}
