import FleetProcesses
import Foundation
import NIOConcurrencyHelpers
import RASPLogs

/// Appends events with ascending numbers, one call at a time in each partition, and reports what became of each.
struct Publisher: Sendable {
  struct Settings: Equatable, Sendable {
    var index: Int
    /// The number of events of this publisher, if it is bounded.
    var events: Int?
    /// How long it appends, if that is bounded.
    var seconds: Double?
    var keys: Int
    var seed: UInt64
    /// How many events are in one call.
    var batch = 50
  }

  /// How often events are appended at most when there is no answer.
  private static let greatestTries = 3

  let settings: Settings
  /// Opens the log, also once more after it went back: a process that has seen more does not append to it.
  let open: @Sendable () async throws(LogError) -> any EventLog<StormEvent>
  /// Gets a line of an ``AppendReport`` for each call, and may be called from several tasks at once.
  let tell: @Sendable (String) -> Void

  /// Returns when all events are appended, or the time is over.
  func run() async throws {
    let log = try await open()
    // A publisher has keys of its own, so that each key has one order.
    assert(settings.keys > 0 && settings.batch > 0, "A publisher has keys, and a call has events.")
    let keys = (0..<settings.keys).map { settings.index * settings.keys + $0 }
    let parts = Dictionary(grouping: keys) { log.partition(of: $0) }
    let rest = NIOLockedValueBox(settings.events ?? .max)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (partition, keys) in parts {
        group.addTask { try await append(to: partition, of: log, keys: keys, share: parts.count, rest) }
      }
      try await group.waitForAll()
    }
  }

  private func append(
    to partition: Int,
    of log: any EventLog<StormEvent>,
    keys: [Int],
    share: Int,
    _ rest: NIOLockedValueBox<Int>
  ) async throws(LogError) {
    var log = log
    let series = AppendReport.Series(publisher: settings.index, partition: partition)
    var random = SeededGenerator(seed: settings.seed &+ UInt64(partition) &* 0x1_0000 &+ UInt64(settings.index))
    let clock = ContinuousClock()
    let start = clock.now
    var number = 0
    while settings.seconds.map({ clock.now - start < .seconds($0) }) ?? true {
      let count = rest.withLockedValue { rest in
        let count = min(settings.batch, rest)
        rest -= count
        return count
      }
      if count == 0 { return }
      let numbers = number + 1...number + count
      number += count
      let events = numbers.map { number in
        StormEvent(key: keys.randomElement(using: &random) ?? 0, publisher: settings.index, number: number)
      }
      let began = Date.now.timeIntervalSince1970
      var call = AppendReport.Call(series: series, fate: .unknown, numbers: numbers)
      do throws(LogError) {
        (call.fate, call.tries) = try await append(events, to: partition, of: log, &random)
      } catch {
        guard case .wentBack = error else { throw error }
        // They may be there, each time that they were appended, in a log that has lost others.
        call.tries = Self.greatestTries
        log = try await open()
      }
      call.times = began...max(began, Date.now.timeIntervalSince1970)
      tell(jsonLine(of: call))
      if let due = pause(after: number * share) { try? await clock.sleep(until: start + due) }
    }
  }

  /// - Returns: the time at which so many events should have been appended; `nil` if there is no pace.
  private func pause(after count: Int) -> Duration? {
    guard let events = settings.events, let seconds = settings.seconds else { return nil }
    // A little faster than the time allows, so that the number of events is what ends it.
    return .seconds(seconds * 0.9 * Double(count) / Double(max(1, events)))
  }

  /// Appends until it is known, or cannot be known, whether the events are there.
  private func append(
    _ events: [StormEvent],
    to partition: Int,
    of log: any EventLog<StormEvent>,
    _ random: inout SeededGenerator
  ) async throws(LogError) -> (AppendReport.Fate, tries: Int) {
    var tries = 1
    while true {
      do throws(LogError) {
        try await log.append(events, to: partition)
        return (.acknowledged, tries)
      } catch .unacknowledged {
        // Some publishers leave it at that. Others append them again, and then they may be there twice.
        guard tries < Self.greatestTries, Bool.random(using: &random) else { return (.unknown, tries) }
        tries += 1
      } catch .refused {
        return (.refused, tries)
      } catch  where error.isTemporary {
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
  }
}
