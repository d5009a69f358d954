import FleetProcesses
import Foundation
import Synchronization

/// A `nats-server` of a test: the program on the path, with JetStream, on a free port of 127.0.0.1, with a store of its
/// own. It never outlives the test process, however that ends.
///
/// - Concurrency: start, kill and restart one server from one task.
public final class NATSServer: Sendable {
  /// Why tests that need a server are skipped.
  public static let missing = Broker.remedy

  /// Whether tests that need a server can run. In CI they do not get skipped: there a missing server is a failure.
  public static var isAvailable: Bool {
    Broker.executable != nil || ProcessInfo.processInfo.environment["CI"] != nil
  }

  /// The port, the same one after a restart.
  public let port: Int
  private let broker: Broker

  private init(_ broker: Broker, port: Int) {
    self.broker = broker
    self.port = port
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts a server and waits until it takes clients.
  ///
  /// - Parameters:
  ///   - program: the path of the program; `nil` for the one on the path.
  ///   - configuration: lines of a configuration file, in which `FOLDER` stands for the folder of the server.
  ///   - host: the address for clients.
  ///   - prepare: is given the folder of the server before it starts, to put files there.
  public static func start(
    program: String? = nil,
    configuration: String = "",
    host: String = "127.0.0.1",
    prepare: (URL) throws -> Void = { _ in }
  ) async throws -> NATSServer {
    let port = try await Broker.freePorts(1)[0]
    var settings = BrokerConfiguration(name: "nats-\(UUID().uuidString)", port: port)
    settings.more = configuration
    settings.host = host
    // Without a server the start fails, with the path in the error.
    let path = program ?? Broker.executable ?? "nats-server"
    let broker = try Broker(path, settings, in: FileManager.default.temporaryDirectory)
    let server = NATSServer(broker, port: port)
    try prepare(server.folder)
    try await broker.start()
    return server
  }

  /// The folder of everything that belongs to this server.
  public var folder: URL { broker.folder }

  /// The folder of the streams.
  public var store: URL { folder.appending(path: "store") }

  /// The address for clients.
  public var url: String { broker.address }

  /// Ends the server at once, as a crash does.
  public func kill() { broker.kill() }

  /// Asks the server to stop, and waits until it is gone.
  public func stop() async { await broker.end(by: SIGTERM) }

  /// Sends a signal: SIGSTOP and SIGCONT, or SIGUSR2 for lame duck mode.
  public func signal(_ number: Int32) { broker.send(signal: number) }

  /// Starts the server again on the same port and with the same store, after ``kill()`` or ``stop()``.
  public func restart() async throws {
    await broker.end()
    try await broker.start()
  }
}
