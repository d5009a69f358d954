import RASPLogs
import Streams

/// Folds the partitions that are assigned to it, until it is told to stop.
struct Owner: Sendable {
  /// What an owner says.
  enum Message: Equatable, Codable, Sendable {
    case live(Int)
    case deposed(Int)
    case released(Int)
    case failed(String)
    case stopped
  }

  let name: String
  let log: any EventLog<StormEvent>
  let tell: @Sendable (Message) -> Void

  /// - Parameter stop: ends when the owner is to give its partitions back.
  func run(until stop: AsyncStream<Void>) async {
    do throws(LogError) {
      let rows = try await LoggedAggregator<Int, StormRow>(
        by: \.key,
        initial: { _ in StormRow() },
        keys: StormRow.keyCoding,
        states: StormRow.coding,
        on: log,
        as: name,
        committingEvery: .milliseconds(500),
        orAfter: 20_000,
        retryingAfter: .milliseconds(200)
      )
      let changes = rows.ownership.subscribe { change in
        switch change {
        case .live(let partition): tell(.live(partition))
        case .deposed(let partition): tell(.deposed(partition))
        case .failed(_, let error), .newer(_, let error): tell(.failed("\(error)"))
        case .released(let partition): tell(.released(partition))
        case .restoring: break
        }
      }
      for partition in rows.partitions { tell(.live(partition)) }
      for failure in rows.failures.values { tell(.failed("\(failure)")) }
      for await _ in stop {}
      await rows.shutdown()
      changes.cancel()
    } catch {
      tell(.failed("\(error)"))
    }
    tell(.stopped)
  }
}
