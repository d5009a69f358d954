import FleetProcesses
import Foundation

/// What this program does when a fleet has started it.
enum FleetRole {
  static func run(_ words: some Sequence<String>) async throws {
    let arguments = try Arguments(
      words,
      options: FleetOptions.options.union(["role", "name", "mqtt"]),
      lists: ["servers"]
    )
    let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
    ParentProcess.listen { line in
      if line == "stop" { stopping.finish() }
    }
    let partitions = try arguments.number("partitions", in: 1...64) ?? 1
    let feed = SensorFeed(
      count: try arguments.number("sensors", in: 1...100_000) ?? 1,
      rate: try arguments.number("rate", in: 20...1_000_000) ?? 20
    )
    if let port = try arguments.number("mqtt", in: 1...65_535), arguments.text("role") == "sensors" {
      return try await feed.publish(host: "127.0.0.1", port: port)
    }
    let log = try await FleetLog.open(servers: arguments.list("servers"), partitions: partitions)
    if arguments.text("role") == "sensors" {
      try await feed.append(to: log)
    } else {
      try await FleetOwner().run(on: log, as: arguments.text("name") ?? "", until: stop)
    }
    try await log.close()
  }
}
