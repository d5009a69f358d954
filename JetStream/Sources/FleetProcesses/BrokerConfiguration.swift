/// What stands in the file from which a server is started.
package struct BrokerConfiguration: Sendable {
  /// The name of the server, which is that of its folder too.
  package var name: String
  /// The address for clients: a number.
  package var host = "127.0.0.1"
  /// The port for clients.
  package var port: Int
  /// The port for the other servers of a cluster, and those of all of them.
  package var cluster: (port: Int, all: [Int])?
  /// Whether the server syncs its disk before it acknowledges.
  package var isSynced = false
  /// More lines, in which `FOLDER` stands for the folder of the server.
  package var more = ""

  /// Names a server and its port.
  package init(name: String, port: Int) {
    self.name = name
    self.port = port
  }

  /// The address and the port, as they stand in a text.
  package var place: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// The text of the file.
  ///
  /// - Parameter folder: where the server has its store.
  package func text(folder: String) -> String {
    var lines = [
      "server_name: \"\(name)\"",
      "listen: \"\(place)\"",
      "jetstream { store_dir: \"\(folder)/store\"\(isSynced ? ", sync_interval: always" : "") }",
    ]
    if let cluster {
      let routes = cluster.all.map { "\"nats://127.0.0.1:\($0)\"" }.joined(separator: ", ")
      lines.append("cluster { name: \"storm\", listen: \"127.0.0.1:\(cluster.port)\", routes: [\(routes)] }")
    }
    if !more.isEmpty { lines.append(more.replacing("FOLDER", with: folder)) }
    return lines.joined(separator: "\n") + "\n"
  }
}
