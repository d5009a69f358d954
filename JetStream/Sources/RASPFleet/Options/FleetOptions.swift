import ArgumentParser

/// What a fleet is made of.
struct FleetOptions: ParsableArguments, Sendable {
  enum Way: String, ExpressibleByArgument, CaseIterable, Sendable {
    case mqtt, append
  }

  @Option(help: "How many sensors are simulated.")
  var sensors = 200
  @Option(help: "How many readings all sensors send in a second.")
  var rate = 2_000
  @Option(help: "How many owners start.")
  var owners = 3
  @Option(help: "How many partitions the log has.")
  var partitions = 8
  @Option(help: "How many seconds it runs; until it is told to end if none are given.")
  var seconds: Double?
  @Option(
    parsing: .upToNextOption,
    help: "Servers that run already, instead of one that is started; sensors append then."
  )
  var servers: [String] = []
  @Option(name: .customLong("by"), help: "How sensors publish: by MQTT, or by an append to the log. (default: mqtt)")
  var wantedWay: Way?

  /// How sensors publish.
  var way: Way { wantedWay ?? (servers.isEmpty ? .mqtt : .append) }

  func validate() throws {
    try check("sensors", sensors, in: 1...100_000)
    try check("rate", rate, in: 20...1_000_000)
    try check("owners", owners, in: 1...32)
    try check("partitions", partitions, in: 1...64)
    try check("seconds", seconds, in: 0.1...86_400)
  }
}
