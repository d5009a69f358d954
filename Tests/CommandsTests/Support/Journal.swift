import Streams

/// What happened, in order, from any thread.
final class Journal<Entry: Sendable>: Sendable {
  private let log = Lock<[Entry]>([])

  var entries: [Entry] { log.withLock { $0 } }

  func note(_ entry: Entry) {
    log.withLock { $0.append(entry) }
  }
}
