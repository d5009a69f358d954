import Aggregate
import Foundation
import RASPJournal
import RASPLogs
import SyncedFile

/// Prints how long it takes until an event is on the medium: the median, and what 1 % and 0.1 % of the events exceed.
///
///     Durability               2,000 events a row, one after the other
///     Durability --events N
///
/// A row of a journal is a `send` and the `flush` behind it; one of a `FileLog` is an `append`; the first is a `write`
/// and a sync by hand, which is the floor, and the ratios are those to it. The figures are those of the medium, and of
/// the machine while it ran.
@main
struct Durability {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let count = arguments.firstIndex(of: "--events").flatMap { Int(arguments[($0 + 1)...].first ?? "") } ?? 2_000
    print("| until an event is durable | p50 | p99 | p99.9 |\n|---|--:|--:|--:|")
    let floor = try await row("by hand: `write`, then a sync", count, than: nil, measureByHand)
    for policy in policies {
      try await row("`Journal`, \(policy.name): `send`, then `flush`", count, than: floor) { count in
        try await measureJournal(count, policy.value)
      }
    }
    for policy in policies {
      try await row("`FileLog`, \(policy.name): `append`", count, than: floor) { count in
        try await measureFileLog(count, policy.value)
      }
    }
  }

  private static let policies: [(name: String, value: SyncPolicy)] = [
    ("`.eachBatch`", .eachBatch), ("`.every(.milliseconds(5))`", .every(.milliseconds(5))), ("`.bySystem`", .bySystem),
  ]

  /// Prints a row, and returns what it has.
  @discardableResult
  private static func row(
    _ name: String,
    _ count: Int,
    than floor: [Duration]?,
    _ measure: @Sendable (Int) async throws -> [Duration]
  ) async throws -> [Duration] {
    let times = try await measure(count).sorted()
    let parts = [0.5, 0.99, 0.999].map { times[min(times.count - 1, Int(Double(times.count) * $0))] }
    let texts = parts.enumerated().map { index, time in
      let text = (time / .microseconds(1)).formatted(.number.precision(.fractionLength(0)).grouping(.automatic))
      return "\(text) µs" + (floor.map { ", \(ratio(time / $0[index])) ×" } ?? "")
    }
    print("| \(name) | \(texts.joined(separator: " | ")) |")
    return parts
  }

  private static func ratio(_ value: Double) -> String { value.formatted(.number.precision(.significantDigits(1...2))) }

  private struct NotSynced: Error {}

  private static func measureByHand(_ count: Int) async throws -> [Duration] {
    guard let file = SyncedFile(temporaryPath()) else { throw NotSynced() }
    let event = [UInt8](repeating: 7, count: 64)
    var times: [Duration] = []
    for number in 0..<count + count / 10 {
      let start = ContinuousClock.now
      guard file.append(event) else { throw NotSynced() }
      if number >= count / 10 { times.append(ContinuousClock.now - start) }
    }
    return times
  }

  private static func measureJournal(_ count: Int, _ policy: SyncPolicy) async throws -> [Duration] {
    let folder = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let journal = try Journal(at: folder, startingWith: Total(), syncing: policy)
    let total = try Aggregator(continuing: journal)
    let times = try await timed(count) { number in
      total.send(number)
      try await journal.flush()
    }
    try await journal.close()
    return times
  }

  private static func measureFileLog(_ count: Int, _ policy: SyncPolicy) async throws -> [Duration] {
    let folder = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let log = try FileLog<Int>(at: folder, syncing: policy)
    let times = try await timed(count) { number in _ = try await log.append([number], to: 0) }
    try await log.close()
    return times
  }
}

private struct Total: AggregateState, Codable {
  var sum = 0
  mutating func apply(_ event: Int) { sum &+= event }
}

func temporaryPath() -> String {
  FileManager.default.temporaryDirectory.appending(path: "durability-\(UUID().uuidString)").path
}

/// How long each of many operations takes, one after the other. The first tenth is not counted.
func timed(_ count: Int, _ operation: @Sendable (Int) async throws -> Void) async rethrows -> [Duration] {
  var times: [Duration] = []
  for number in 0..<count + count / 10 {
    let start = ContinuousClock.now
    try await operation(number)
    if number >= count / 10 { times.append(ContinuousClock.now - start) }
  }
  return times
}
