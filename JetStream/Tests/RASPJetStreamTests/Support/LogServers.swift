import Foundation
import NIOCore
import RASPLogsTesting
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

extension NATSServer {
  /// What happens to the store from outside.
  func storage(ofLog log: String) -> LogStorage {
    LogStorage {
      let copy = self.folder.appending(path: UUID().uuidString)
      await self.stop()
      if !FileManager.default.fileExists(atPath: self.store.path) {
        try FileManager.default.createDirectory(at: self.store, withIntermediateDirectories: true)
      }
      try FileManager.default.copyItem(at: self.store, to: copy)
      try await self.restart()
      return {
        await self.stop()
        try FileManager.default.removeItem(at: self.store)
        try FileManager.default.copyItem(at: copy, to: self.store)
        try await self.restart()
      }
    } cut: { partition, offset in
      let client = try await NATSClient.connect(to: self.url)
      let request = ByteBuffer(string: "{\"seq\":\(offset + 1)}")
      _ = try await client.request(request, to: "$JS.API.STREAM.PURGE.\(log)-\(partition)")
      await client.close()
    }
  }

  /// Removes a stream and puts a copy in its place that was made before.
  func replace(_ stream: String, by copy: URL) async throws {
    await stop()
    let place = folder(of: stream)
    try FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(at: copy, to: place)
    try await restart()
  }

  /// Copies a stream.
  func copy(of stream: String) async throws -> URL {
    await stop()
    let copy = folder.appending(path: UUID().uuidString)
    try FileManager.default.copyItem(at: folder(of: stream), to: copy)
    try await restart()
    return copy
  }

  private func folder(of stream: String) -> URL { store.appending(path: "jetstream/$G/streams/\(stream)") }
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
