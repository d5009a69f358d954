import RASPNATS
import Streams

/// What happens beside the calls of a log: it follows the connection, and looks for readers to which nothing comes any
/// more. It ends when it is released.
///
/// Safe to share: nothing changes.
final class LogUpkeep: Sendable {
  private let status: Subscription
  private let silence: Task<Void, Never>

  init(_ log: LogConnection) {
    status = log.client.status.subscribe { [weak log] status in log?.heard(status) }
    let (readers, heartbeat) = (log.readers, log.options.heartbeat)
    silence = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: heartbeat * 2)
        for reader in readers.all { reader.interruptIfSilent() }
      }
    }
  }

  deinit {
    status.cancel()
    silence.cancel()
  }
}
