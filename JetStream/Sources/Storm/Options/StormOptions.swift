import FleetProcesses

/// What a storm is made of.
struct StormOptions: Equatable, Sendable {
  var events: Int?
  var seconds: Double?
  /// Servers that run already; none to start servers.
  var servers: [String] = []
  var hasThreeServers = false
  var seed: UInt64 = 1
  var partitions = 8
  var publishers = 2
  var owners = 3
  var keys = 500
  var brokerKills: Int?
  var mutant: Mutant?
  var measures = false
  var keepsFolder = false

  static let help = """
    Storm: publishers and owners are killed over a log on NATS JetStream, and what is left is verified.

      --events N          append so many events (1,000,000 if there is no --seconds, either)
      --seconds S         append for so many seconds; with --events, at a pace that needs about the time
      --servers URL…      use these servers instead of starting one; they are not killed
      --three-servers     start three servers, with three replicas of each partition
      --broker-kills N    kill a server at most so many times
      --partitions N      partitions of the log (8)
      --owners N          owners at a time (3)
      --publishers N      publishers (2)
      --keys N            keys of each publisher (500)
      --seed N            another seed kills at other times (1)
      --mutant NAME       have owners or publishers make a mistake, which must be found: \(Mutant.names)
      --measure           no storm: print what the log reaches, as ratios to bare loops
      --keep              keep the folder of the servers

    It exits with 0 only if nothing is wrong, with 1 if something is, and with 2 if there is no server.
    """

  static let options: Set<String> = [
    "events", "seconds", "seed", "partitions", "owners", "publishers", "keys", "broker-kills", "mutant",
  ]

  init(_ words: some Sequence<String>) throws(Arguments.Mistake) {
    let arguments = try Arguments(
      words,
      options: Self.options,
      lists: ["servers"],
      flags: ["three-servers", "measure", "keep"]
    )
    events = try arguments.number("events", in: 1...1_000_000_000)
    seconds = try arguments.number("seconds", in: 0.1...86_400)
    if events == nil, seconds == nil { events = 1_000_000 }
    servers = arguments.list("servers")
    hasThreeServers = arguments.has("three-servers")
    if hasThreeServers, !servers.isEmpty {
      throw Arguments.Mistake(description: "--three-servers starts servers, so --servers cannot name some.")
    }
    seed = try arguments.number("seed", in: 0...UInt64.max) ?? seed
    partitions = try arguments.number("partitions", in: 1...256) ?? partitions
    owners = try arguments.number("owners", in: 1...32) ?? owners
    publishers = try arguments.number("publishers", in: 1...32) ?? publishers
    keys = try arguments.number("keys", in: 1...1_000_000) ?? keys
    brokerKills = try arguments.number("broker-kills", in: 0...10_000)
    measures = arguments.has("measure")
    keepsFolder = arguments.has("keep")
    if let name = arguments.text("mutant") {
      guard let mutant = Mutant(rawValue: name) else {
        throw Arguments.Mistake(description: "There is no mutant \(name). There are \(Mutant.names).")
      }
      self.mutant = mutant
    }
  }
}

extension Mutant {
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
