/// The servers that a client may use, and the one whose turn it is.
///
/// Behind those of the user stand those that the present server names. They are others whenever it says so again. A
/// server that is about to stop has its turn last.
struct ServerList {
  private(set) var servers: [ServerAddress]
  /// The number of servers that the user has named.
  private let given: Int
  private var turn = 0
  /// The attempts in a row without success.
  private(set) var attempts = 0

  init(_ servers: [ServerAddress]) {
    assert(!servers.isEmpty, "A client has a server.")
    self.servers = servers
    given = servers.count
  }

  var current: ServerAddress {
    assert(servers.indices.contains(turn), "One of the servers has its turn.")
    return servers[turn]
  }

  /// The rounds over all servers in a row without success.
  var rounds: Int { attempts / servers.count }

  /// Whether the next server begins a round.
  var isAtStartOfRound: Bool { attempts % servers.count == 0 }

  /// The server has refused, or was not there.
  mutating func currentHasFailed() {
    attempts += 1
    turn = (turn + 1) % servers.count
  }

  mutating func currentHasAccepted() {
    attempts = 0
  }

  /// Lets the others have their turn first.
  mutating func avoidCurrent() {
    turn = (turn + 1) % servers.count
  }

  /// Takes the servers that one names to which there is a connection, in place of those that were named before.
  ///
  /// They get the credentials of the address of that server, and are verified by its name: only the authority of that
  /// name decides which servers are its cluster.
  ///
  /// - Parameter name: what the certificate of that server had to have.
  mutating func learn(_ names: [String], from server: ServerAddress, verifiedBy name: String) {
    var known = Set(servers[..<given].map(\.place))
    var learnt: [ServerAddress] = []
    for text in names {
      guard var address = try? ServerAddress(text), known.insert(address.place).inserted else { continue }
      address.usesTLS = server.usesTLS
      address.user = server.user
      address.password = server.password
      address.verifiedName = name
      learnt.append(address)
    }
    // The connection to it is there, so it stays, also if it does not name itself.
    if known.insert(server.place).inserted { learnt.append(server) }
    servers = servers[..<given] + learnt
    turn = servers.firstIndex { $0.place == server.place } ?? 0
  }
}

extension ServerAddress {
  /// What tells two servers apart.
  fileprivate var place: String { "\(host) \(port)" }
}
