import Aggregate
import RASPJournal
import RASPLogs

/// What owners fold for each key.
struct StormRow: AggregateState, Equatable, Codable {
  var count = 0
  var hash: UInt64 = 1

  static let coding = Coding<StormRow>(version: 1) { row, bytes in
    bytes.append(row.count)
    bytes.append(row.hash)
  } decode: { bytes in
    StormRow(count: try bytes.read(Int.self), hash: try bytes.read(UInt64.self))
  }

  static let keyCoding = Coding<Int>(version: 1) { key, bytes in
    bytes.append(key)
  } decode: { bytes in
    try bytes.read(Int.self)
  }

  mutating func apply(_ event: StormEvent) {
    count += 1
    hash = event.hash(after: hash)
  }

  /// The row behind an event, as a verifier folds it by itself.
  func next(_ event: StormEvent) -> StormRow {
    StormRow(count: count + 1, hash: event.hash(after: hash))
  }

  /// The rows of all that is in a log, folded from its checkpoints on.
  static func folded(from log: any EventLog<StormEvent>) async throws(LogError) -> [Int: StormRow] {
    let rows = try await LoggedAggregator<Int, StormRow>(
      by: \.key,
      initial: { _ in StormRow() },
      keys: keyCoding,
      states: coding,
      on: log,
      orAfter: .max
    )
    let folded = rows.rows()
    await rows.shutdown()
    return folded
  }
}
