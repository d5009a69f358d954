import NIOConcurrencyHelpers
import RASPLogs

/// The log as the driver of a storm sees it. It is opened again after it went back: who has seen more is told so.
///
/// Safe to share: what changes is behind the lock.
final class DriverLog: Sendable {
  private let log: NIOLockedValueBox<any EventLog<StormEvent>>
  private let open: @Sendable () async throws(LogError) -> any EventLog<StormEvent>

  init(_ open: @escaping @Sendable () async throws(LogError) -> any EventLog<StormEvent>) async throws(LogError) {
    self.open = open
    log = NIOLockedValueBox(try await open())
  }

  var present: any EventLog<StormEvent> { log.withLockedValue { $0 } }
  var name: String { present.name }
  var partitions: Int { present.partitions }

  func reopen() async throws(LogError) {
    try await present.close()
    let next = try await open()
    log.withLockedValue { $0 = next }
  }
}
