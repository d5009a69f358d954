import RASPLogs
import RASPNATS

/// What the streams of a log were made with, as the server tells it.
struct LogSettings: Sendable {
  var replicas = 1

  /// Looks at the stream of the first partition, and compares it with what is asked for.
  ///
  /// - Parameters:
  ///   - replicas: `nil` for those that there are. So is what is `nil` in the options.
  ///   - options: what is asked for, with the lease of the log.
  /// - Errors: ``LogError/refused(log:partition:reason:)`` with what was found and what was asked for.
  static func found(
    _ log: LogConnection,
    replicas: Int?,
    _ options: JetStreamOptions
  ) async throws(LogError) -> LogSettings {
    let name = log.names.stream(0)
    let stream = try await log.retrying(nil) { jetStream async throws(JetStreamError) in
      do throws(JetStreamError) {
        return try await jetStream.stream(name).config as StreamInformation.Configuration?
      } catch {
        // Each call to this partition will say so.
        if error.code == JetStreamError.Code.streamNotFound { return nil }
        throw error
      }
    }
    guard let stream else { return LogSettings(replicas: replicas ?? 1) }
    let window = Duration.nanoseconds(stream.duplicateWindow ?? 0)
    let deletion: LogDeletion = stream.deniesDeletion == true || stream.deniesPurging == true ? .denied : .allowed
    func compare<Value: Equatable>(_ what: String, _ found: Value, _ wanted: Value?) throws(LogError) {
      guard let wanted, wanted != found else { return }
      throw LogDescription.refused(
        log,
        "the log was made with \(what) \(found), and not with \(wanted). Ask for what it has, or for nothing."
      )
    }
    try compare("`replicas`", stream.replicas, replicas)
    try compare("`duplicateWindow`", window, options.duplicateWindow)
    try compare("`maxBytes`", stream.maxBytes ?? -1, options.maxBytes)
    try compare("`deletion`", deletion, options.deletion)
    try options.check(log.name, window: window)
    return LogSettings(replicas: stream.replicas)
  }
}
