import FleetProcesses
import Foundation
import RASPLogs
import RASPNATS
import Testing

@testable import RASPJetStream

/// Three servers of a cluster, which may be stopped and continued.
struct Trio {
  let brokers: [Broker]
  private let folder = FileManager.default.temporaryDirectory.appending(path: "trio-\(UUID().uuidString)")

  private init() async throws {
    let ports = try await Broker.freePorts(6)
    var brokers: [Broker] = []
    for index in 0..<3 {
      var configuration = BrokerConfiguration(name: "n\(index + 1)", port: ports[index])
      configuration.cluster = (ports[3 + index], Array(ports[3...]))
      brokers.append(try Broker(Broker.executable ?? "nats-server", configuration, in: folder))
      try await brokers[index].start()
    }
    self.brokers = brokers
  }

  /// Opens a log with three replicas by way of one of the servers, as soon as they have chosen a leader.
  func log(by index: Int, _ change: (inout JetStreamOptions) -> Void = { _ in }) async throws -> JetStreamLog<String> {
    var options = JetStreamOptions.quick
    change(&options)
    return try await answer("a log can be opened") { [options] in
      try await JetStreamLog(brokers[index].address, name: "log", partitions: 1, replicas: 3, options: options)
    }
  }

  /// Which of the servers leads a stream.
  func leader(of stream: String) async throws -> Int {
    let client = try await NATSClient.connect(to: brokers.map(\.address))
    let leader = try await answer("a stream has a leader") {
      let name = try await JetStream(client: client).stream(stream).cluster?.leader
      return brokers.indices.first { "n\($0 + 1)" == name }
    }
    await client.close()
    return leader
  }

  /// Asks again until there is an answer. Without one, the last error is recorded.
  private func answer<Answer>(_ question: String, _ body: () async throws -> Answer?) async throws -> Answer {
    var answer: Answer?
    var failure: (any Error)?
    do {
      try await eventually(question) {
        do { answer = try await body() } catch { failure = error }
        return answer != nil
      }
    } catch {
      if let failure { Issue.record(failure) }
      throw error
    }
    return try #require(answer)
  }

  /// Starts three servers, which end behind the body, however it ends.
  static func run(_ body: (Trio) async throws -> Void) async throws {
    let trio = try await Trio()
    do {
      try await body(trio)
      await trio.end()
    } catch {
      await trio.end()
      throw error
    }
  }

  private func end() async {
    for broker in brokers { await broker.end() }
    try? FileManager.default.removeItem(at: folder)
  }
}
