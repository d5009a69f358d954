import Aggregate

/// An entry as it stands in a file: the callers of a log make it of their entries, and the thread of the log only writes it.
struct EntryBytes: Sendable {
  /// The place of its kind in the coding.
  var kind: Int
  var payload: [UInt8]
}

extension Coding<EntryBytes> {
  /// Writes what another coding has made, and reads its kinds without decoding them.
  init<Entry>(of coding: Coding<Entry>) {
    self.init(
      kinds: coding.kinds,
      decoders: coding.decoders.mapValues { _ in
        .one { bytes in EntryBytes(kind: 0, payload: try bytes.readBytes(bytes.remaining)) }
      }
    ) { entry, bytes in
      bytes.append(contentsOf: entry.payload)
      return entry.kind
    }
  }
}

/// The state of the folder of a partition: the record that was committed. Entries do not change it, so recovery finds it in
/// the newest snapshot.
struct PartitionState: AggregateState {
  var revision: UInt64 = 0
  var rows: [UInt8] = []

  mutating func apply(_ entry: EntryBytes) {}
}

extension Coding<PartitionState> {
  /// - Parameter keepsRows: whether rows are read, too.
  static func record(keepsRows: Bool) -> Coding {
    Coding(version: 1, named: "LogRecord") { state, bytes in
      bytes.appendVarint(state.revision)
      bytes.append(contentsOf: state.rows)
    } decode: { bytes in
      let revision = try bytes.readVarint()
      let rows = try bytes.readBytes(bytes.remaining)
      return PartitionState(revision: revision, rows: keepsRows ? rows : [])
    }
  }
}
