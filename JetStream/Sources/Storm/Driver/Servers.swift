import FleetProcesses
import Foundation
import NIOConcurrencyHelpers

/// The servers of a storm: those that it starts and may kill, or those that run already.
///
/// Safe to share: what changes is behind the lock.
final class Servers: Sendable {
  let addresses: [String]
  /// Where the servers and the reports of publishers are.
  let folder: URL

  private let brokers: [Broker]
  private let executable: String?
  private let killCount = NIOLockedValueBox(0)
  private let stallCount = NIOLockedValueBox(0)

  /// Starts one server or three, unless the options name some.
  init(_ options: StormOptions, executable: String?) async throws {
    self.executable = executable
    folder = FileManager.default.temporaryDirectory.appending(path: "storm-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var brokers: [Broker] = []
    if let executable, options.servers.isEmpty {
      let count = options.hasThreeServers ? 3 : 1
      let ports = try await Broker.freePorts(count * 2)
      let routes = Array(ports[count..<count * 2])
      assert(routes.count == count, "Each server has two ports.")
      for index in 0..<count {
        var configuration = BrokerConfiguration(name: "n\(index + 1)", port: ports[index])
        configuration.isSynced = options.isSynced
        if options.hasThreeServers { configuration.cluster = (routes[index], routes) }
        brokers.append(try Broker(options.olderServer ?? executable, configuration, in: folder))
      }
      for broker in brokers { try await broker.start() }
    }
    self.brokers = brokers
    addresses = options.servers.isEmpty ? brokers.map(\.address) : options.servers
  }

  /// How often a server was killed.
  var kills: Int { killCount.withLockedValue { $0 } }
  /// How often most of them have stood still.
  var stalls: Int { stallCount.withLockedValue { $0 } }
  /// Whether there are servers that may be killed.
  var areOwn: Bool { !brokers.isEmpty }

  /// Kills a server, and starts it again after a while with the same store.
  func killOne(for time: Duration, using random: inout SeededGenerator) async throws {
    guard let broker = brokers.randomElement(using: &random) else { return }
    killCount.withLockedValue { $0 += 1 }
    await broker.end()
    try? await Task.sleep(for: time)
    try await broker.start()
  }

  /// Stops two of three servers for a while: most of them, without which nothing is decided.
  func stall(for time: Duration, using random: inout SeededGenerator) async {
    let stopped = brokers.shuffled(using: &random).prefix(2)
    for broker in stopped { broker.send(signal: SIGSTOP) }
    try? await Task.sleep(for: time)
    for broker in stopped { broker.send(signal: SIGCONT) }
    stallCount.withLockedValue { $0 += 1 }
  }

  /// Ends a server in order, and starts it with the program on the path.
  func upgrade(_ index: Int) async throws {
    await brokers[index].end(by: SIGTERM)
    try await brokers[index].start(as: executable)
  }

  private var store: URL { brokers[0].folder.appending(path: "store") }
  private var copy: URL { folder.appending(path: "copy") }

  /// Copies the store of the only server, which ends in order for that.
  func copyStore() async throws {
    await brokers[0].end(by: SIGTERM)
    try FileManager.default.copyItem(at: store, to: copy)
    try await brokers[0].start()
  }

  /// Kills the server, and starts it with what was copied before.
  ///
  /// - Parameter streams: those that are put back; `nil` for the whole store.
  func putBack(_ streams: [String]?) async throws {
    killCount.withLockedValue { $0 += 1 }
    await brokers[0].end()
    for path in streams.map({ $0.map { "jetstream/$G/streams/\($0)" } }) ?? [""] {
      let place = path.isEmpty ? store : store.appending(path: path)
      try FileManager.default.removeItem(at: place)
      try FileManager.default.copyItem(at: path.isEmpty ? copy : copy.appending(path: path), to: place)
    }
    try await brokers[0].start()
  }

  func end(keepsFolder: Bool) async {
    for broker in brokers { await broker.end() }
    if !keepsFolder { try? FileManager.default.removeItem(at: folder) }
  }
}
