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

  /// What is in a record.
  package enum Content {
    case rows([(key: Key, value: State)])
    /// Rows of an earlier version of the state, or of another state: the fold may have changed with it.
    case older
    /// Rows that a later version of the program has written.
    case newer(TypeVersion)
  }

  /// - Parameters:
  ///   - place: is named by an error.
  ///   - decodesRows: whether the rows are made. Without them it is only found which content it is.
  package func decode(
    _ bytes: [UInt8],
    of place: String,
    decodesRows: Bool = true
  ) throws(JournalError) -> Content {
    // Nothing was committed yet.
    if bytes.isEmpty { return .rows([]) }
    var input = SegmentInput(bytes, as: .snapshot)
    var (keyDecoder, stateDecoder) = (ValueDecoder(keys), ValueDecoder(states))
    var rows: [(key: Key, value: State)] = []
    var key: Key?
    var (isOlder, newer) = (false, TypeVersion?.none)
    // A key and its state come in turn.
    var isState = true
    do throws(FileFailure) {
      try input.readAll { (record) throws(FileFailure) in
        let type = record.kind.type
        if newer != nil { return }
        isState.toggle()
        if isState ? isNewer(type, to: states) : isNewer(type, to: keys) { return newer = type }
        guard decodesRows else { return isOlder = isOlder || isState && !states.writes(type) }
        if let known = key {
          guard states.writes(type) else { return isOlder = true }
          try stateDecoder.decode(record) { rows.append((known, $0)) }
          key = nil
        } else if !isOlder {
          try keyDecoder.decode(record) { key = $0 }
        }
      }
    } catch {
      throw JournalError(error, file: place)
    }
    if let newer { return .newer(newer) }
    return isOlder ? .older : .rows(rows)
  }

  /// Whether a type is written here in earlier versions only.
  private func isNewer<Value>(_ type: TypeVersion, to coding: Coding<Value>) -> Bool {
    if coding.writes(type) { return false }
    let versions = coding.kinds.filter { $0.name == type.name }.map(\.version)
    return versions.max().map { $0 < type.version } ?? false
  }
}
