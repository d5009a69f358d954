import RASPLogs
import Streams

/// Folds the partitions that are assigned to it, until it is told to stop.
struct Owner: Sendable {
  /// What an owner says.
  enum Message: Equatable, Codable, Sendable {
    case live(Int)
    case deposed(Int)
    case released(Int)
    case wentBack(Int)
    case failed(String)
    case stopped
  }

  let name: String
  let log: any EventLog<StormEvent>
  /// Whether it reacts to each entry, which it writes into its report.
  var reacts = false
  var mutant: Mutant?
  /// Gets each line of its report.
  var write: @Sendable (OwnerReport.Line) -> Void = { _ in }
  let tell: @Sendable (Message) -> Void

  /// - Parameter stop: ends when the owner is to give its partitions back.
  func run(until stop: AsyncStream<Void>) async {
    let watched = WatchedLog(log, write: write)
    let reaction: @Sendable (LogPosition, StormEvent) async -> Void = { position, _ in
      react(to: position, of: watched)
    }
    do throws(LogError) {
      let rows = try await LoggedAggregator<Int, StormRow>(
        by: \.key,
        initial: { _ in StormRow() },
        keys: StormRow.keyCoding,
        states: StormRow.coding,
        on: watched,
        as: name,
        committingEvery: .milliseconds(500),
        orAfter: 20_000,
        retryingAfter: .milliseconds(200),
        reacting: reacts ? reaction : nil
      )
      let changes = rows.ownership.subscribe { tell($0) }
      for partition in rows.partitions { tell(.live(partition)) }
      for (partition, failure) in rows.failures { tell(failure, of: partition) }
      // The report has them from the log. That they are heard keeps them from standard error.
      let skipped = rows.skipped.subscribe { _ in }
      for await _ in stop {}
      await rows.shutdown()
      skipped.cancel()
      changes.cancel()
    } catch {
      tell(.failed("\(error)"))
    }
    tell(.stopped)
  }

  private func tell(_ change: LogOwnership) {
    switch change {
    case .live(let partition): tell(.live(partition))
    case .deposed(let partition): tell(.deposed(partition))
    case .failed(let partition, let error): tell(error, of: partition)
    case .released(let partition): tell(.released(partition))
    case .restoring, .following: break
    @unknown default: break
    }
  }

  private func tell(_ failure: LogError, of partition: Int) {
    switch failure {
    case .wentBack: tell(.wentBack(partition))
    default: tell(.failed("\(failure)"))
    }
  }

  private func react(to position: LogPosition, of watched: WatchedLog) {
    let (partition, record) = (position.partition, watched.record(of: position.partition))
    if mutant == .missedReaction, position.offset % 97 == 0 { return }
    let revision = record?.revision ?? 0
    write(.reaction(partition: partition, offset: position.offset, revision: revision))
    if mutant == .repeatedReaction, position.offset % 97 == 0, let offset = record?.offset, offset > 0 {
      write(.reaction(partition: partition, offset: offset, revision: revision))
    }
  }
}
