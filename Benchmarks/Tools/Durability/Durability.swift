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
/// A row of a journal is a `send` and the `flush` behind it; one of a `FileLog` is an `append`. The ratios are those to
/// a `write` and a sync by hand, which is the floor. It is measured in turns with the row, because what else the
/// machine does differs from minute to minute.
@main
struct Durability {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let count = arguments.firstIndex(of: "--events").flatMap { Int(arguments[($0 + 1)...].first ?? "") } ?? 2_000
    print("| until an event is durable | p50 | p99 | p99.9 |\n|---|--:|--:|--:|")
    for policy in policies {
      try await row("`Journal`, \(policy.name): `send`, then `flush`", count) { count in
        try await measureJournal(count, policy.value)
      }
    }
    for policy in policies {
      try await row("`FileLog`, \(policy.name): `append`", count) { count in
        try await measureFileLog(count, policy.value)
      }
    }
  }

  private static let policies: [(name: String, value: SyncPolicy)] = [
    ("`.eachBatch`", .eachBatch), ("`.every(.milliseconds(5))`", .every(.milliseconds(5))), ("`.bySystem`", .bySystem),
  ]

  private static func row(
    _ name: String,
    _ count: Int,
    _ measure: @Sendable (Int) async throws -> Durations
  ) async throws {
    let durations = try await measure(count)
    let texts = [0.5, 0.99, 0.999].map { part in
      let (own, floor) = (part.quantile(of: durations.own), part.quantile(of: durations.byHand))
      let text = (own / .microseconds(1)).formatted(.number.precision(.fractionLength(0)).grouping(.automatic))
      return "\(text) µs, \((own / floor).formatted(.number.precision(.significantDigits(1...2)))) ×"
    }
    print("| \(name) | \(texts.joined(separator: " | ")) |")
  }

  private static func measureJournal(_ count: Int, _ policy: SyncPolicy) async throws -> Durations {
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

  private static func measureFileLog(_ count: Int, _ policy: SyncPolicy) async throws -> Durations {
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

/// What was measured in turns.
struct Durations: Sendable {
  var own: [Duration] = []
  var byHand: [Duration] = []
}

struct NotSynced: Error {}

/// How long each of many operations takes, one after the other, and each time a write and a sync by hand. The first
/// tenth is not counted.
func timed(_ count: Int, _ operation: @Sendable (Int) async throws -> Void) async throws -> Durations {
  guard let file = SyncedFile(temporaryPath()) else { throw NotSynced() }
  let event = [UInt8](repeating: 7, count: 64)
  var durations = Durations()
  for number in 0..<count + count / 10 {
    let start = ContinuousClock.now
    try await operation(number)
    let middle = ContinuousClock.now
    guard file.append(event) else { throw NotSynced() }
    if number < count / 10 { continue }
    durations.own.append(middle - start)
    durations.byHand.append(ContinuousClock.now - middle)
  }
  return durations
}

extension Double {
  /// The duration that so many of all do not exceed.
  fileprivate func quantile(of durations: [Duration]) -> Duration {
    durations.sorted()[min(durations.count - 1, Int(Double(durations.count) * self))]
  }
}
