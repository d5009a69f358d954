import NIOCore
import RASPLogs
import RASPNATS

/// An entry as it stands in its stream.
package struct StoredEntry: Sendable {
  /// Where it stands.
  package let partition: Int
  package let offset: Int
  /// When the server took it, as it writes times.
  package let time: String
  package let subject: String
  package let headers: NATSHeaders
  package let payload: ByteBuffer

  init(partition: Int, offset: Int, _ message: JetStream.Kept) {
    self.partition = partition
    self.offset = offset
    (time, subject, headers, payload) = (message.time, message.subject, message.headers, message.payload)
  }

  /// The type and the version of the value; `nil` for the first version of the only type, which needs no header.
  package var type: (name: String, version: Int)? {
    guard let text = headers[EntryTypes.header] else { return nil }
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let version = Int(parts[0]) else { return (text, 0) }
    return (String(parts[1]), version)
  }
}

extension StoredLog {
  /// How many entries are asked for at once.
  private static let greatestGroup = 500

  /// The entries of a partition that are there now, in their order. What was deleted is left out.
  ///
  /// - Parameters:
  ///   - offsets: those that are wanted.
  ///   - body: gets the entries, some at a time.
  package func read(
    _ partition: Int,
    _ offsets: ClosedRange<Int>,
    _ body: ([StoredEntry]) async throws(LogError) -> Void
  ) async throws(LogError) {
    guard let state = try await stream(partition)?.state, state.last > 0 else { return }
    var next = max(state.first, offsets.lowerBound)
    let end = min(state.last, offsets.upperBound)
    let name = connection.names.stream(partition)
    while next <= end {
      let group = next..<min(next + Self.greatestGroup, end + 1)
      let messages = try await connection.retrying(partition) { jetStream async throws(JetStreamError) in
        try await jetStream.messages(group, in: name)
      }
      assert(messages.count == group.count, "Each entry has an answer.")
      let entries = zip(group, messages).compactMap { offset, message in
        message.map { StoredEntry(partition: partition, offset: offset, $0) }
      }
      if !entries.isEmpty { try await body(entries) }
      next = group.upperBound
    }
  }
}
