import RASPJetStream
import RASPLogs

/// The log of a storm.
enum StormLog {
  /// How long the partitions of an owner that hangs stay with it.
  static let lease = Duration.seconds(2)

  /// - Parameter timeLimit: how long a call tries; `nil` for the standard.
  static func open(
    servers: [String],
    timeLimit: Duration? = nil,
    _ options: StormOptions
  ) async throws(LogError) -> any EventLog<StormEvent> {
    var settings = JetStreamOptions()
    settings.lease = lease
    settings.heartbeat = lease / 4
    if let timeLimit { settings.timeLimit = timeLimit }
    // So that what had no answer is asked again while the servers stand still.
    if options.isStalled { settings.nats.requestTimeLimit = .milliseconds(300) }
    // Servers of a cluster choose a leader first, so the log can be made only some seconds after their start. And a
    // server may be killed while it answers.
    let limit = ContinuousClock.now + .seconds(30)
    while true {
      do throws(LogError) {
        return try await JetStreamLog<StormEvent>(
          servers.joined(separator: ","),
          name: "storm",
          partitions: options.partitions,
          coding: StormEvent.coding,
          replicas: options.hasThreeServers ? 3 : 1,
          onPoison: options.isPoisoned ? .skip : .stop,
          options: settings
        )
      } catch  where error.isTemporary {
        if ContinuousClock.now > limit { throw error }
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }
}
