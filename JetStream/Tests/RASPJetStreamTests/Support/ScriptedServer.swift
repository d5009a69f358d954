import NIOConcurrencyHelpers
import NIOCore
import RASPLogs
import ServerSupport

@testable import RASPJetStream
@testable import RASPNATS

/// A real server, of which some answers are those of a script.
///
/// Safe to share: what changes is behind the lock.
final class ScriptedServer: Sendable {
  private struct Step: Sendable {
    var matches: @Sendable (Middleman.Request) -> Bool
    var reaction: Middleman.Reaction
    var isLasting = false
  }

  private struct State: Sendable {
    var steps: [Step] = []
    var requests: [Middleman.Request] = []
  }

  let server: NATSServer
  private let middleman: Middleman
  private let state: NIOLockedValueBox<State>

  init(configuration: String = "") async throws {
    let state = NIOLockedValueBox(State())
    self.state = state
    server = try await NATSServer.start(configuration: configuration)
    middleman = try await Middleman(to: server.port) { request in
      state.withLockedValue { state in
        state.requests.append(request)
        guard let index = state.steps.firstIndex(where: { $0.matches(request) }) else { return .pass }
        return state.steps[index].isLasting ? state.steps[index].reaction : state.steps.remove(at: index).reaction
      }
    }
  }

  var url: String { "nats://127.0.0.1:\(middleman.port)" }

  /// All messages of clients that have come.
  var requests: [Middleman.Request] { state.withLockedValue { $0.requests } }

  /// The next message that is meant gets a reaction, and the one behind it the next one. Those behind the last one are
  /// passed on.
  func expect(
    _ reactions: Middleman.Reaction...,
    to matches: @escaping @Sendable (Middleman.Request) -> Bool
  ) {
    state.withLockedValue { state in
      for reaction in reactions { state.steps.append(Step(matches: matches, reaction: reaction)) }
    }
  }

  /// All messages that are meant get a reaction, until the script is forgotten.
  func expectAlways(
    _ reaction: Middleman.Reaction,
    to matches: @escaping @Sendable (Middleman.Request) -> Bool
  ) {
    state.withLockedValue { $0.steps.append(Step(matches: matches, reaction: reaction, isLasting: true)) }
  }

  /// Whether all messages have come that are meant once.
  var isDone: Bool { state.withLockedValue { $0.steps.allSatisfy(\.isLasting) } }

  /// Forgets what has not come, and all that has.
  func forget() { state.withLockedValue { $0 = State() } }

  /// Opens a log by way of the script.
  func log(
    _ name: String = "log",
    partitions: Int? = nil,
    _ change: (inout JetStreamOptions) -> Void = { _ in }
  ) async throws -> JetStreamLog<String> {
    var options = JetStreamOptions.quick
    change(&options)
    return try await JetStreamLog(url, name: name, partitions: partitions, options: options)
  }

  /// The connection of a log, as one to three servers that have each entry.
  func cluster(
    of log: JetStreamLog<String>,
    _ change: (inout JetStreamOptions) -> Void = { _ in }
  ) -> LogConnection {
    var options = JetStreamOptions.quick
    change(&options)
    return LogConnection(log.connection.names, partitions: 1, replicas: 3, log.connection.client, options)
  }

  /// The entries of a partition, as they stand in their stream.
  func entries(of log: JetStreamLog<String>) async throws -> [String] {
    let count = try await log.newest(in: 0)
    return count == 0 ? [] : try await read(count, from: log)
  }
}

extension Middleman.Reaction {
  /// An answer of JetStream that is an error.
  static func refuse(_ code: Int, _ reason: String = "of a script") -> Middleman.Reaction {
    .answer(error(code, reason))
  }

  /// The same, though the server does what it is asked for.
  static func passAndRefuse(_ code: Int, _ reason: String = "of a script") -> Middleman.Reaction {
    .passAndAnswer(error(code, reason))
  }

  private static func error(_ code: Int, _ reason: String) -> String {
    #"{"error":{"code":400,"err_code":\#(code),"description":"\#(reason)"},"stream":"log-0","seq":0}"#
  }
}

extension Middleman.Request {
  /// Whether it is the last message of an atomic batch.
  var isCommitOfBatch: Bool { headers.contains("Nats-Batch-Commit") }
}
