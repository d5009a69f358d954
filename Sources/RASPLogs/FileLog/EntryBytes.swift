import RASPJournal

/// An entry as it stands in a file: the callers of a log make it of their entries, and the thread of the log only
/// writes it.
struct EntryBytes: Sendable {
  /// The place of its kind in the coding.
  var kind: Int
  var payload: [UInt8]
}

/// The record of a partition as it stands in a snapshot.
struct StoredRecord: Sendable {
  var revision: UInt64
  /// That of the newest entry in the rows.
  var identity: EntryIdentity
  var rows: [UInt8]
}

extension Coding<StoredRecord> {
  /// - Parameter keepsRows: whether rows are read, too.
  static func record(keepsRows: Bool) -> Coding {
    Coding(version: 2, named: "LogRecord") { record, bytes in
      bytes.appendVarint(record.revision)
      bytes.appendVarint(record.identity.high)
      bytes.appendVarint(record.identity.low)
      bytes.append(contentsOf: record.rows)
    } decode: { bytes in
      let revision = try bytes.readVarint()
      let identity = EntryIdentity(try bytes.readVarint(), try bytes.readVarint())
      let rows = try bytes.readBytes(bytes.remaining)
      return StoredRecord(revision: revision, identity: identity, rows: keepsRows ? rows : [])
    }
  }
}

extension EntryIdentity {
  /// - Parameter mark: that of the entry in its folder; `nil` if there is none.
  init(_ mark: EventMark?) {
    self.init(mark?.identity ?? 0, mark.map { UInt64($0.checksum) } ?? 0)
  }
}
