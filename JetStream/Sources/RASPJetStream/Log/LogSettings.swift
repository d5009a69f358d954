import NIOCore
import RASPLogs
import RASPNATS

/// What the streams of a log were made with, as the server tells it. Each is looked at: an operator may have changed
/// one of them since.
struct LogSettings: Sendable {
  /// The greatest number of replicas of a stream. Of more than one, a server may answer that does not have what others
  /// have.
  var replicas = 1
  /// The least number of them, which is what an acknowledgement stands for.
  var leastReplicas = 1
  /// The partitions whose streams take atomic batches.
  var batched: Set<Int> = []

  /// How many streams are asked for at once.
  private static let greatestGroup = 256

  /// Looks at the streams of all partitions and of the records, and compares them with what is asked for.
  ///
  /// - Parameters:
  ///   - partitions: how many there are.
  ///   - replicas: `nil` for those that there are. So is what is `nil` in the options.
  ///   - options: what is asked for, with the lease of the log.
  /// - Errors: ``LogError/refused(log:partition:reason:)`` with what was found and what was asked for.
  static func found(
    _ log: LogConnection,
    partitions: Int,
    replicas: Int?,
    _ options: JetStreamOptions
  ) async throws(LogError) -> LogSettings {
    let records = try await streams([log.names.bucket], of: log).compactMap { $0?.config }
    for stream in records {
      try compare(log, "the stream of the records", [("`replicas`", "\(stream.replicas)", replicas.map { "\($0)" })])
    }
    var all = records
    var batched: Set<Int> = []
    for (partition, stream) in try await streams((0..<partitions).map(log.names.stream), of: log).enumerated() {
      // Each call to a partition whose stream is gone will say so.
      guard let stream = stream?.config else { continue }
      let window = Duration.nanoseconds(stream.duplicateWindow ?? 0)
      let deletion: LogDeletion = stream.deniesDeletion == true || stream.deniesPurging == true ? .denied : .allowed
      let rules: [(String, String, String?)] = [
        ("`replicas`", "\(stream.replicas)", replicas.map { "\($0)" }),
        ("`duplicateWindow`", "\(window)", options.duplicateWindow.map { "\($0)" }),
        ("`maxBytes`", "\(stream.maxBytes ?? -1)", options.maxBytes.map { "\($0)" }),
        ("`deletion`", "\(deletion)", options.deletion.map { "\($0)" }),
      ]
      try compare(log, "partition \(partition)", rules)
      try options.check(log.name, window: window)
      all.append(stream)
      if stream.takesBatches == true { batched.insert(partition) }
    }
    let counts = all.map(\.replicas)
    return LogSettings(
      replicas: counts.max() ?? replicas ?? 1,
      leastReplicas: counts.min() ?? replicas ?? 1,
      batched: batched
    )
  }

  private static func compare(
    _ log: LogConnection,
    _ place: String,
    _ rules: [(name: String, found: String, wanted: String?)]
  ) throws(LogError) {
    for rule in rules {
      guard let wanted = rule.wanted, wanted != rule.found else { continue }
      throw LogDescription.refused(
        log,
        "\(place) was made with \(rule.name) \(rule.found), and not with \(wanted). Ask for what it has, or for nothing."
      )
    }
  }

  /// Asks for several streams, one request behind the other.
  ///
  /// - Returns: `nil` for a stream that is not there.
  static func streams(
    _ names: [String],
    of log: LogConnection
  ) async throws(LogError) -> [StreamInformation?] {
    var found: [StreamInformation?] = []
    while found.count < names.count {
      let group = Array(names.dropFirst(found.count).prefix(greatestGroup))
      found += try await log.retrying(nil) { jetStream async throws(JetStreamError) in
        try await jetStream.streams(group)
      }
    }
    assert(found.count == names.count, "Each stream has an answer.")
    return found
  }
}
