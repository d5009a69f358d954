import Foundation
import Testing

@testable import RASPJetStream
@testable import RASPNATS
@testable import ServerSupport

/// The servers over which the laws are checked: the one on the path, and the oldest that is supported, whose path is in
/// the variable RASP_NATS_FLOOR.
enum LogServer: String, CaseIterable, CustomTestStringConvertible {
  case present
  case floor

  static let floorPath = ProcessInfo.processInfo.environment["RASP_NATS_FLOOR"]

  static var available: [LogServer] { floorPath == nil ? [.present] : [.present, .floor] }

  func start(configuration: String = "") async throws -> NATSServer {
    try await NATSServer.start(program: self == .floor ? Self.floorPath : nil, configuration: configuration)
  }

  var testDescription: String { rawValue }
}

/// Waits until a condition is true.
func eventually(
  _ description: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let start = ContinuousClock.now
  while try await !condition() {
    if ContinuousClock.now - start > .seconds(60) {
      Issue.record("It does not come true: \(description)", sourceLocation: sourceLocation)
      throw CancellationError()
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// The first entries of a partition.
func read<Entry>(
  _ count: Int,
  of partition: Int = 0,
  after offset: Int = 0,
  from log: JetStreamLog<Entry>
) async throws -> [Entry] {
  var entries: [Entry] = []
  for try await batch in log.entries(of: partition, after: offset) {
    entries += batch.entries.map(\.entry)
    if entries.count >= count { break }
  }
  return entries
}

extension JetStreamOptions {
  /// Short times, so that tests are short.
  static var quick: JetStreamOptions {
    var options = JetStreamOptions()
    options.heartbeat = .milliseconds(200)
    options.lease = .seconds(1)
    options.pause = .milliseconds(10)
    options.nats.reconnection.first = .milliseconds(10)
    options.nats.reconnection.greatest = .milliseconds(100)
    return options
  }
}
