import NIOCore
import RASPJournal
import RASPLogs
import RASPNATS

/// An entry as it stands in its stream.
struct StoredEntry: Sendable {
  /// Where it stands.
  let partition: Int
  let offset: Int
  /// When the server took it, as it writes times.
  let time: String
  let subject: String
  let headers: NATSHeaders
  let payload: ByteBuffer

  init(partition: Int, offset: Int, _ message: JetStream.Kept) {
    self.partition = partition
    self.offset = offset
    (time, subject, headers, payload) = (message.time, message.subject, message.headers, message.payload)
  }

  /// The type and the version of the value; `nil` for the first version of the only type, which needs no header.
  var type: (name: String, version: Int)? {
    guard let text = headers[EntryTypes.header] else { return nil }
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let version = Int(parts[0]) else { return (text, 0) }
    return (String(parts[1]), version)
  }
}

extension StoredLog {
  /// Which entries are dumped.
  package struct Selection: Sendable {
    /// `nil` for all partitions.
    let partition: Int?
    let offsets: ClosedRange<Int>

    package init(partition: Int?, offsets: ClosedRange<Int>) {
      (self.partition, self.offsets) = (partition, offsets)
    }
  }

  package func dump(_ selection: Selection, _ write: (StoredLine) -> Void) async throws(LogError) {
    for partition in selection.partition.map({ $0..<$0 + 1 }) ?? 0..<partitions {
      try await read(partition, selection.offsets) { entries async in
        for entry in entries { write(StoredLine(entry)) }
      }
    }
  }

  /// How many entries are asked for at once.
  private static let greatestGroup = 500

  /// The entries of a partition that are there now, in their order. What was deleted is left out.
  ///
  /// - Parameters:
  ///   - offsets: those that are wanted.
  ///   - body: gets the entries, some at a time.
  func read(
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

extension StoredLine {
  fileprivate init(_ entry: StoredEntry) {
    let others = entry.headers.fields.filter { $0.name != EntryTypes.header }.map { ($0.name, $0.value) }
    self.init(
      value: Array(entry.payload.readableBytesView),
      [
        "partition": entry.partition, "offset": entry.offset, "time": entry.time, "subject": entry.subject,
        "type": entry.type?.name, "version": entry.type?.version,
        "headers": others.isEmpty ? nil : Dictionary(others) { first, _ in first },
      ]
    )
  }
}
