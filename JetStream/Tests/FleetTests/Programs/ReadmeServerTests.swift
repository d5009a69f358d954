import Aggregate
import FleetProcesses
import Foundation
import NIOCore
import RASPJetStream
import RASPLogs
import RASPNATS
import ServerSupport
import Testing

/// What the README says of a server is true.
@Suite(
  "The server of the README",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct ReadmeServerTests {
  /// The block of the README that has this line.
  private func block(with line: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let file = folder.appending(path: "../../../README.md").standardizedFileURL
    let blocks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```")
    return try #require(blocks.first { $0.contains(line) })
  }

  @Test("its configuration starts a server that knows the sensors")
  func configuration() async throws {
    let ports = try await Broker.freePorts(3)
    let folder = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "server.conf")
    let text = try block(with: "# nats-server -c server.conf")
      .replacing("0.0.0.0:4222", with: "127.0.0.1:\(ports[0])").replacing(
        "127.0.0.1:8222",
        with: "127.0.0.1:\(ports[1])"
      )
      .replacing("0.0.0.0:1883", with: "127.0.0.1:\(ports[2])").replacing("/var/lib/nats", with: folder.path)
    try text.write(to: file, atomically: true, encoding: .utf8)
    let server = try await ChildProcess(Broker.executable ?? "nats-server", ["-c", file.path])
    defer { server.send(signal: SIGKILL) }
    var log: JetStreamLog<String>?
    while log == nil {
      // The server starts meanwhile.
      log = try? await JetStreamLog<String>("nats://127.0.0.1:\(ports[0])", name: "readings")
    }
    let client = try await NATSClient.connect(to: "nats://127.0.0.1:\(ports[0])")
    try await client.publish(ByteBuffer(string: #""warm""#), to: "sensors.boiler-7")
    let partition = PartitionHasher.partition(of: "boiler-7", among: 64)
    var batches = log?.entries(of: partition, after: 0).makeAsyncIterator()
    #expect(try await batches?.next()?.entries.map(\.entry) == ["warm"])
    await client.close()
    try await log?.close()
  }

  @Test("its users can do what they need, and not more")
  func users() async throws {
    let users = try block(with: "# Sensors send readings, and nothing else. ")
      .replacing("password: \"…\"", with: "password: \"p\"")
    let mapping = #"mappings { "sensors.*": "readings.{{partition(4,1)}}.{{wildcard(1)}}" }"# + "\n"
    let server = try await NATSServer.start(configuration: users + mapping)
    func options(_ user: String) -> JetStreamOptions {
      var options = JetStreamOptions()
      options.nats.credentials = .user(user, password: "p")
      return options
    }
    let owned = try await JetStreamLog<String>(server.url, name: "readings", partitions: 4, options: options("owner"))
    let log = try await JetStreamLog<String>(server.url, name: "readings", options: options("publisher"))
    let partition = PartitionHasher.partition(of: "boiler-7", among: 4)
    #expect(try await log.append(["a", "b"], to: partition) == 2)
    #expect(try await log.append(["c"], to: partition) == 3)
    let sensor = try await NATSClient.connect(to: server.url, options: options("sensor").nats)
    try await sensor.publish(ByteBuffer(string: #""warm""#), to: "sensors.boiler-7")
    try await sensor.flush()
    let spy = try await sensor.subscribe(to: "sensors.>")
    await #expect(throws: NATSError.self) { try await spy.nextBatch() }
    let rows = try await LoggedAggregator<String, Line>(by: { _ in "boiler-7" }, initial: { _ in Line() }, on: owned)
    #expect(rows["boiler-7"].current?.count == 4)
    await rows.shutdown(within: .seconds(600))
    #expect(try await owned.committed(partition).offset == 4)
    // A publisher can take nothing over.
    await #expect(throws: LogError.self) { try await log.commit([1], at: 0, to: 1, replacing: .none) }
    await sensor.close()
    try await log.close()
    try await owned.close()
  }
}

private struct Line: AggregateState, Codable {
  var count = 0

  mutating func apply(_ line: String) { count += 1 }
}
