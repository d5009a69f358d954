import FleetProcesses

/// What a fleet is made of.
struct FleetOptions: Equatable, Sendable {
  enum Way: String, Sendable {
    case mqtt, append
  }

  var sensors = 200
  var rate = 2_000
  var owners = 3
  var partitions = 8
  /// How long it runs; `nil` until it is told to end.
  var seconds: Double?
  /// Servers that run already; none to start one.
  var servers: [String] = []
  var way = Way.mqtt

  static let help = """
    RASPFleet: sensors, a log in partitions, and owners as processes of this machine.

      --sensors N        simulated sensors (200)
      --rate N           readings a second of all sensors (2000)
      --owners N         owners in the beginning (3)
      --partitions N     partitions of the log (8)
      --by mqtt|append   sensors publish by MQTT, or append to the log (mqtt)
      --seconds S        end after so many seconds
      --servers URL…     use these servers instead of starting one; sensors append then

    On a terminal: k kills an owner, n starts one, q quits.
    """

  static let options: Set<String> = ["sensors", "rate", "owners", "partitions", "by", "seconds"]

  init(_ words: some Sequence<String>) throws(Arguments.Mistake) {
    let arguments = try Arguments(words, options: Self.options, lists: ["servers"])
    sensors = try arguments.number("sensors", in: 1...100_000) ?? sensors
    rate = try arguments.number("rate", in: 20...1_000_000) ?? rate
    owners = try arguments.number("owners", in: 1...32) ?? owners
    partitions = try arguments.number("partitions", in: 1...64) ?? partitions
    seconds = try arguments.number("seconds", in: 0.1...86_400)
    servers = arguments.list("servers")
    if let word = arguments.text("by") {
      guard let way = Way(rawValue: word) else {
        throw Arguments.Mistake(description: "--by takes mqtt or append, not \(word).")
      }
      self.way = way
    }
    if !servers.isEmpty {
      if arguments.text("by") == Way.mqtt.rawValue {
        throw Arguments.Mistake(
          description: "--by mqtt needs a server that is started here, and --servers names others."
        )
      }
      way = .append
    }
  }
}
