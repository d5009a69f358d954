/// Makes bytes of the rows of a partition, and rows of the bytes. They have the format of a file, so they have
/// checksums and the names and versions of the types.
package struct RowsCoding<Key: Sendable, State: Sendable>: Sendable {
  private let keys: Coding<Key>
  private let states: Coding<State>

  package init(keys: Coding<Key>, states: Coding<State>) {
    self.keys = keys
    self.states = states
  }

  package func encode(_ rows: [(key: Key, value: State)]) throws(CodingError) -> [UInt8] {
    var writer = SegmentWriter(FileHeader(content: .snapshot, salt: 0, firstEvent: 0, wallTime: 0, identity: 0))
    var (keyKinds, stateKinds) = (KindNumbers(.state, of: keys.kinds), KindNumbers(.state, of: states.kinds))
    var keyEncoder = ValueEncoder(keys)
    var stateEncoder = ValueEncoder(states)
    for (key, state) in rows {
      let keyKind = keyKinds.number(at: try keyEncoder.encode(key), in: &writer)
      writer.append(kind: keyKind, payload: keyEncoder.payload)
      let stateKind = stateKinds.number(at: try stateEncoder.encode(state), in: &writer)
      writer.append(kind: stateKind, payload: stateEncoder.payload)
    }
    writer.seal()
    return writer.takeFinished()
  }

  /// - Parameter place: is named by an error.
  /// - Returns: `nil` if the rows are of another version of the state: the fold may have changed with it.
  package func decode(_ bytes: [UInt8], of place: String) throws(JournalError) -> [(key: Key, value: State)]? {
    // Nothing was committed yet.
    if bytes.isEmpty { return [] }
    var input = SegmentInput(bytes, as: .snapshot)
    var (keyDecoder, stateDecoder) = (ValueDecoder(keys), ValueDecoder(states))
    var rows: [(key: Key, value: State)] = []
    var key: Key?
    var isOfAnotherVersion = false
    do throws(FileFailure) {
      try input.readAll { (record) throws(FileFailure) in
        if let known = key {
          guard states.kinds.contains(record.kind.type) else { return isOfAnotherVersion = true }
          try stateDecoder.decode(record) { rows.append((known, $0)) }
          key = nil
        } else if !isOfAnotherVersion {
          try keyDecoder.decode(record) { key = $0 }
        }
      }
    } catch {
      throw JournalError(error, file: place)
    }
    return isOfAnotherVersion ? nil : rows
  }
}
