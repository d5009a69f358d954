import FleetProcesses
import Foundation
import Synchronization

/// A `nats-server` of a test: the program on the path, with JetStream, on a free port of 127.0.0.1, with a store of its
/// own.
///
/// The server never outlives the test. It is a child of a shell that waits on a pipe whose other end is in the test
/// process: when that process ends, however it ends, the shell kills the server.
///
/// - Concurrency: the running process is under a lock. Start, kill and restart one server from one task.
public final class NATSServer: Sendable {
  /// Why a server could not be used.
  public struct Failure: Error, CustomStringConvertible {
    /// A sentence.
    public let description: String
  }

  /// Why tests that need a server are skipped.
  public static let missing = Broker.remedy

  /// The program on the path; `nil` if there is none.
  public static let path = Broker.executable

  /// Whether tests that need a server can run. In CI they do not get skipped: there a missing server is a failure.
  public static var isAvailable: Bool {
    path != nil || ProcessInfo.processInfo.environment["CI"] != nil
  }

  /// The folder of everything that belongs to this server.
  public let folder: URL
  private let program: String?
  private let configuration: String
  private let arguments: [String]
  private let running = Mutex(RunningServer?.none)
  private let knownPort = Mutex(Int?.none)

  private init(program: String?, configuration: String, arguments: [String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "nats-\(UUID().uuidString)")
    self.program = program
    self.configuration = configuration
    self.arguments = arguments
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    running.withLock { $0 }?.kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts a server and waits until it takes clients.
  ///
  /// - Parameters:
  ///   - program: the path of the program; `nil` for the one on the path.
  ///   - configuration: lines of a configuration file.
  ///   - arguments: more arguments of the program.
  ///   - prepare: is given the folder of the server before it starts, to put files there.
  public static func start(
    program: String? = nil,
    configuration: String = "",
    arguments: [String] = [],
    prepare: (URL) throws -> Void = { _ in }
  ) async throws -> NATSServer {
    let server = try NATSServer(program: program, configuration: configuration, arguments: arguments)
    try prepare(server.folder)
    try await server.restart()
    return server
  }

  /// The port, the same one after a restart.
  public var port: Int { knownPort.withLock { $0 } ?? 0 }

  /// The address for clients.
  public var url: String { "nats://127.0.0.1:\(port)" }

  /// The folder of the streams.
  public var store: URL { folder.appending(path: "store") }

  /// The process of the server.
  public var processIdentifier: Int32 { running.withLock { $0?.identifier } ?? 0 }

  /// Ends the server at once, as a crash does, and waits until it is gone.
  public func kill() {
    running.withLock { running in
      defer { running = nil }
      return running
    }?.kill()
  }

  /// Asks the server to stop, and waits until it is gone.
  public func stop() {
    let server = running.withLock { running in
      defer { running = nil }
      return running
    }
    server?.signal(SIGTERM)
    server?.wait()
  }

  /// Sends a signal: SIGSTOP and SIGCONT, or SIGUSR2 for lame duck mode.
  public func signal(_ number: Int32) {
    running.withLock { $0 }?.signal(number)
  }

  /// Starts the server again on the same port and with the same store, after ``kill()`` or ``stop()``.
  public func restart() async throws {
    guard let path = program ?? Self.path else { throw Failure(description: Self.missing) }
    precondition(running.withLock { $0 } == nil, "The server runs.")
    let ports = folder.appending(path: "ports")
    try? FileManager.default.removeItem(at: ports)
    try FileManager.default.createDirectory(at: ports, withIntermediateDirectories: true)
    let file = folder.appending(path: "server.conf")
    try Data(configuration.replacing("FOLDER", with: folder.path).utf8).write(to: file)
    let port = knownPort.withLock { $0 }
    let server = try RunningServer(
      path: path,
      arguments: [
        "-js", "-a", "127.0.0.1", "-p", "\(port ?? -1)", "--ports_file_dir", ports.path,
        "-sd", store.path, "-c", file.path, "-l", folder.appending(path: "server.log").path,
      ] + arguments
    )
    running.withLock { $0 = server }
    let found = try await Self.port(in: ports, of: server, log: folder.appending(path: "server.log"))
    knownPort.withLock { $0 = found }
  }

  /// The server writes the file of its ports when it takes clients.
  private static func port(in folder: URL, of server: RunningServer, log: URL) async throws -> Int {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline, server.isRunning {
      for file in (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [] {
        struct Ports: Decodable { var nats: [String] }
        guard file.pathExtension == "ports", let data = try? Data(contentsOf: file),
          let ports = try? JSONDecoder().decode(Ports.self, from: data),
          let digits = ports.nats.first?.split(separator: ":").last, let port = Int(digits)
        else { continue }
        return port
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    let words = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    throw Failure(description: "nats-server does not start: \(words.suffix(600))")
  }
}
