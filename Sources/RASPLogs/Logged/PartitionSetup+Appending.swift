import Aggregate

extension PartitionSetup {
  /// Appends events that all belong to one partition.
  ///
  /// - Errors: what the log throws, and why the partition has failed here.
  func append(_ events: [State.Event], to partition: Int) async throws(LogError) -> LogPosition {
    let known = reports.known
    let seen = try known.newest(in: partition)
    let offset = try await log.append(events, to: partition)
    if offset < seen + events.count {
      throw .wentBack(log: log.name, partition: partition, newest: offset, wanted: seen)
    }
    known.see(offset, in: partition)
    return LogPosition(log: log.name, partition: partition, offset: offset)
  }

  /// The partition to which an event belongs.
  func partition(of event: State.Event) -> Int { log.partition(of: keyOf(event)) }

  /// Events by their partitions, each part in the order of the events.
  func divided(_ events: some Sequence<State.Event>) -> [(partition: Int, events: [State.Event])] {
    if log.partitions == 1 {
      let events = Array(events)
      return events.isEmpty ? [] : [(0, events)]
    }
    return Dictionary(grouping: events, by: partition(of:)).map { ($0.key, $0.value) }
  }

  /// Appends events to all of their partitions at once.
  func append(contentsOf events: some Sequence<State.Event>) async throws(LogError) -> [LogPosition] {
    let parts = divided(events)
    if parts.count < 2 {
      guard let part = parts.first else { return [] }
      return [try await append(part.events, to: part.partition)]
    }
    var (appended, failures): ([LogPosition], [Int: LogError]) = ([], [:])
    // A task for each partition that has events: there are no more of them than partitions.
    await withTaskGroup(of: (Int, Result<LogPosition, LogError>).self) { group in
      for (partition, events) in parts {
        group.addTask {
          do throws(LogError) {
            return (partition, .success(try await append(events, to: partition)))
          } catch {
            return (partition, .failure(error))
          }
        }
      }
      for await (partition, outcome) in group {
        switch outcome {
        case .success(let position): appended.append(position)
        case .failure(let failure): failures[partition] = failure
        }
      }
    }
    appended.sort { $0.partition < $1.partition }
    if failures.isEmpty { return appended }
    throw .partlyAppended(log: log.name, appended: appended, failures: failures)
  }
}
