import FleetProcesses
import Foundation
import NIOCore
import RASPLogs
import RASPNATS
import ServerSupport
import Testing

@testable import RASPJetStream

@Suite(
  "What options a log takes, and what it is opened with",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct OptionsTests {
  private func refusal(
    _ server: String,
    name: String = "log",
    partitions: Int? = 1,
    replicas: Int? = nil,
    _ change: (inout JetStreamOptions) -> Void = { _ in }
  ) async throws -> String? {
    var options = JetStreamOptions.quick
    change(&options)
    do throws(LogError) {
      let log = try await JetStreamLog<String>(
        server,
        name: name,
        partitions: partitions,
        replicas: replicas,
        options: options
      )
      try await log.close()
      return nil
    } catch {
      guard case .refused(name, nil, let reason) = error else { return "another error: \(error)" }
      return reason
    }
  }

  @Test("times that do not go together are refused before anything is made")
  func times() async throws {
    let server = try await NATSServer.start()
    let url = server.url
    let window = try await refusal(url) { ($0.duplicateWindow, $0.timeLimit) = (.seconds(1), .seconds(60)) }
    #expect(window?.contains("`duplicateWindow`") == true && window?.contains("`timeLimit`") == true)
    #expect(try await refusal(url) { $0.timeLimit = .zero }?.contains("`timeLimit`") == true)
    #expect(try await refusal(url) { $0.lease = .zero }?.contains("`lease`") == true)
    #expect(try await refusal(url) { $0.lease = $0.heartbeat }?.contains("`lease`") == true)
    #expect(try await refusal(url) { $0.heartbeat = .zero }?.contains("`heartbeat`") == true)
    #expect(try await refusal(url) { $0.maxBytes = 0 }?.contains("`maxBytes`") == true)
    for partitions in [0, -1, 10_001] {
      #expect(try await refusal(url, partitions: partitions)?.contains("partitions") == true)
    }
    #expect(try await refusal(url, replicas: 0)?.contains("replicas") == true)
    for name in ["x-members", "KV_a"] {
      #expect(try await refusal(url, name: name)?.contains("streams of other logs") == true)
    }
    // Nothing of them is there.
    let client = try await NATSClient.connect(to: url)
    let streams = try await client.request(ByteBuffer(), to: "$JS.API.STREAM.NAMES")
    #expect(!String(buffer: streams.payload).contains("log"))
    await client.close()
  }

  @Test("what a log was made with is compared with what is asked for")
  func found() async throws {
    let server = try await NATSServer.start()
    let url = server.url
    #expect(try await refusal(url) { ($0.duplicateWindow, $0.maxBytes) = (.seconds(100), 1 << 20) } == nil)
    // Who asks for nothing has what there is.
    #expect(try await refusal(url, partitions: nil) == nil)
    #expect(try await refusal(url, replicas: 1) { ($0.duplicateWindow, $0.maxBytes) = (.seconds(100), 1 << 20) } == nil)
    let replicas = try await refusal(url, replicas: 3)
    #expect(replicas?.contains("`replicas` 1, and not with 3") == true)
    #expect(try await refusal(url) { $0.duplicateWindow = .seconds(99) }?.contains("`duplicateWindow` 100.0") == true)
    #expect(try await refusal(url) { $0.maxBytes = 5 }?.contains("`maxBytes` 1048576") == true)
    #expect(try await refusal(url) { $0.deletion = .denied }?.contains("`deletion` allowed") == true)
    // The window of the log counts, and not the standard.
    #expect(try await refusal(url) { $0.timeLimit = .seconds(110) }?.contains("`timeLimit` 110") == true)
  }

  @Test("each partition is compared, because an operator may have changed one of them")
  func changed() async throws {
    let server = try await NATSServer.start()
    let url = server.url
    let wanted: (inout JetStreamOptions) -> Void = { ($0.duplicateWindow, $0.maxBytes) = (.seconds(100), 1 << 20) }
    #expect(try await refusal(url, partitions: 300, wanted) == nil)
    let client = try await NATSClient.connect(to: url)
    for (change, words) in [
      (#""duplicate_window":99000000000,"max_bytes":1048576"#, "partition 299 was made with `duplicateWindow` 99.0"),
      (#""duplicate_window":100000000000,"max_bytes":2048"#, "partition 299 was made with `maxBytes` 2048"),
    ] {
      let stream =
        #"{"name":"log-299","subjects":["log.299","log.299.>"],"discard":"new","allow_direct":true,\#(change)}"#
      let answer = try await client.request(ByteBuffer(string: stream), to: "$JS.API.STREAM.UPDATE.log-299")
      #expect(!String(buffer: answer.payload).contains("\"error\""), "\(String(buffer: answer.payload))")
      #expect(try await refusal(url, partitions: 300, wanted)?.contains(words) == true)
      #expect(try await refusal(url, partitions: 300) == nil)
    }
    // The shortest window of all counts.
    let short =
      #"{"name":"log-7","subjects":["log.7","log.7.>"],"discard":"new","allow_direct":true,"max_bytes":1048576,"duplicate_window":20000000000}"#
    _ = try await client.request(ByteBuffer(string: short), to: "$JS.API.STREAM.UPDATE.log-7")
    #expect(try await refusal(url, partitions: 300)?.contains("`duplicateWindow` is 20.0") == true)
    // A partition without a stream says so when it is used.
    _ = try await client.request(ByteBuffer(), to: "$JS.API.STREAM.DELETE.log-7")
    #expect(try await refusal(url, partitions: 300) == nil)
    await client.close()
  }

  @Test("a log of a later version is not opened")
  func laterFormat() async throws {
    let server = try await NATSServer.start()
    #expect(try await refusal(server.url) == nil)
    let client = try await NATSClient.connect(to: server.url)
    for (json, words) in [
      (#"{"format":2,"what":1}"#, "later version"),
      (#"{"format":1,"partitions":4611686018427387904,"lease":1}"#, "partitions"),
      (#"{"format":1}"#, "not that of a log"), ("x", "not that of a log"),
    ] {
      _ = try await client.request(ByteBuffer(string: json), to: "$KV.log.log")
      #expect(try await refusal(server.url)?.contains(words) == true)
    }
    await client.close()
  }

  @Test("deletion that is denied is refused by the server")
  func deletion() async throws {
    let server = try await NATSServer.start()
    var options = JetStreamOptions.quick
    options.deletion = .denied
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 1, options: options)
    try await log.append(["a", "b", "c"], to: 0)
    let client = try await NATSClient.connect(to: server.url)
    for (request, body) in [("MSG.DELETE", #"{"seq":2}"#), ("PURGE", #"{"seq":3}"#)] {
      let answer = try await client.request(ByteBuffer(string: body), to: "$JS.API.STREAM.\(request).log-0")
      #expect(String(buffer: answer.payload).contains("\"error\""))
    }
    #expect(try await read(3, from: log) == ["a", "b", "c"])
    await client.close()
    try await log.close()
    #expect(try await refusal(server.url) { $0.deletion = .allowed }?.contains("`deletion` denied") == true)
    #expect(try await refusal(server.url) == nil)
  }

  @Test("a log with fewer replicas than are asked for is refused, and so is one of which a partition has fewer")
  func cluster() async throws {
    let ports = try await Broker.freePorts(6)
    let folder = FileManager.default.temporaryDirectory.appending(path: "cluster-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var brokers: [Broker] = []
    for index in 0..<3 {
      var configuration = BrokerConfiguration(name: "n\(index + 1)", port: ports[index])
      configuration.cluster = (ports[3 + index], Array(ports[3..<6]))
      brokers.append(try Broker(Broker.executable ?? "nats-server", configuration, in: folder))
      try await brokers[index].start()
    }
    let addresses = brokers.map(\.address).joined(separator: ",")
    var options = JetStreamOptions.quick
    options.durability = .replicated
    var opened: JetStreamLog<String>?
    while opened == nil {
      // The servers choose a leader first.
      opened = try? await JetStreamLog<String>(addresses, name: "log", partitions: 1, replicas: 3, options: options)
    }
    let log = try #require(opened)
    #expect(log.acknowledgement == LogAcknowledgement(replicas: 3))
    try await log.append(["a"], to: 0)
    try await log.close()
    // An operator leaves one partition on one server.
    let client = try await NATSClient.connect(to: brokers.map(\.address))
    let stream = #"{"name":"log-0","subjects":["log.0","log.0.>"],"discard":"new","num_replicas":1}"#
    let answer = try await client.request(ByteBuffer(string: stream), to: "$JS.API.STREAM.UPDATE.log-0")
    #expect(!String(buffer: answer.payload).contains("\"error\""), "\(String(buffer: answer.payload))")
    let fewer = try await refusal(addresses, partitions: nil, replicas: 3)
    #expect(fewer?.contains("partition 0 was made with `replicas` 1, and not with 3") == true, "\(fewer ?? "")")
    let reason = try await refusal(addresses, partitions: nil) { $0.durability = .replicated }
    #expect(reason?.contains("have 1 replica") == true, "\(reason ?? "")")
    let other = try await JetStreamLog<String>(addresses, name: "log", options: .quick)
    #expect(other.acknowledgement == LogAcknowledgement(replicas: 1))
    try await other.close()
    await client.close()
    for broker in brokers { await broker.end() }
  }

  @Test("a log says what its acknowledgements mean")
  func acknowledgement() async throws {
    let server = try await NATSServer.start()
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 2, options: .quick)
    #expect(log.acknowledgement == LogAcknowledgement(replicas: 1))
    #expect("\(log.acknowledgement)".contains("every two minutes"))
    try await log.close()
    #expect(
      try await refusal(server.url, partitions: nil) { $0.durability = .replicated }?.contains("replicas: 3") == true
    )
  }
}
