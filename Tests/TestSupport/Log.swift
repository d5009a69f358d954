import Streams

/// What happened, in order, whoever wrote it down, from any thread.
package final class Log<Entry: Sendable>: Sendable {
  private let list = Lock<[Entry]>([])

  package init() {}

  package var entries: [Entry] { list.withLock { $0 } }
  package var count: Int { list.withLock(\.count) }
  package var last: Entry? { list.withLock(\.last) }

  package func note(_ entry: Entry) {
    list.withLock { $0.append(entry) }
  }
}
