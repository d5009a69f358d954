/// The servers that a client may use, and the one whose turn it is.
///
/// Servers that a cluster names are added behind those of the user. A server that is about to stop has its turn last.
struct ServerList {
  /// The greatest number of servers. Those of a cluster that names more without end are not added.
  static let greatestCount = 256

  private(set) var servers: [ServerAddress]
  private var turn = 0
  /// The attempts in a row without success.
  private(set) var attempts = 0

  init(_ servers: [ServerAddress]) {
    assert(!servers.isEmpty, "A client has a server.")
    self.servers = servers
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

  /// Adds what the cluster of the present server names.
  mutating func add(_ names: [String]) {
    for name in names where servers.count < Self.greatestCount {
      guard var address = try? ServerAddress(name), !servers.contains(where: { $0.isSameServer(as: address) }) else {
        continue
      }
      address.usesTLS = current.usesTLS
      address.user = current.user
      address.password = current.password
      servers.append(address)
    }
  }
}

extension ServerAddress {
  fileprivate func isSameServer(as other: ServerAddress) -> Bool {
    host == other.host && port == other.port
  }
}
