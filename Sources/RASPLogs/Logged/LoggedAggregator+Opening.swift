import Aggregate
import Streams

extension LoggedAggregator {
  static func check(
    _ interval: Duration,
    _ events: Int,
    _ retry: Duration,
    _ limit: Duration,
    on log: any EventLog<State.Event>
  ) throws(LogError) {
    let times = [("committingEvery", interval), ("retryingAfter", retry), ("restoringWithin", limit)]
    var reason = times.first { $0.1 <= .zero }.map { "`\($0)` needs a time above zero, and not \($1)." }
    if events < 1 { reason = "`orAfter` needs at least one entry, and not \(events)." }
    if let reason { throw .refused(log: log.name, partition: nil, reason: reason) }
  }

  /// Returns what is waited for when nothing has got on for so long; `nil` if the task was cancelled.
  ///
  /// - Parameter restored: returns how far the partitions are; `nil` if nothing waits any more.
  static func waitForStall(
    _ limit: Duration,
    on scheduler: any Scheduler,
    _ restored: () -> [Int: Int]?
  ) async -> String? {
    var before: [Int: Int]?
    while !Task.isCancelled, let present = restored() {
      if present == before {
        let places = present.sorted { $0.key < $1.key }.map { "partition \($0.key) behind entry \($0.value)" }
        let wanted = places.isEmpty ? "an assignment of partitions" : places.joined(separator: ", ")
        return "nothing has come for \(limit), and this is waited for: \(wanted)"
      }
      before = present
      do { try await scheduler.sleep(until: scheduler.now.later(by: limit)) } catch { return nil }
    }
    return nil
  }
}
