/// A file with the state after an event.
struct SnapshotFile<State: Sendable> {
  let state: State
  let event: Int
  let identity: UInt128
  let size: Int

  /// Writes a snapshot, which is there as a whole or not at all.
  ///
  /// - Parameter isReadBack: whether a state that its coding does not read again is refused.
  /// - Returns: the number of bytes.
  static func write(
    _ state: State,
    after event: Int,
    coding: Coding<State>,
    isReadBack: Bool = false,
    stamp: FileStamp,
    in folder: JournalFolder
  ) throws(JournalError) -> Int {
    assert(event >= 0, "a snapshot before all events")
    let file = folder.snapshot(after: event)
    var encoder = ValueEncoder(coding)
    var segment = SegmentWriter(
      FileHeader(
        content: .snapshot,
        salt: stamp.salt,
        firstEvent: UInt64(event),
        wallTime: stamp.wallTime,
        identity: stamp.identity
      )
    )
    do throws(CodingError) {
      let index = try encoder.encode(state)
      let type = RecordKind(role: .state, type: coding.kinds[index])
      if isReadBack { try check(encoder.payload, of: type, coding) }
      let kind = segment.define(type)
      segment.append(kind: kind, payload: encoder.payload)
    } catch {
      throw .unwritable(file: file, event: nil, reason: error)
    }
    segment.seal()
    let bytes = segment.takeFinished()
    try folder.replace(file, with: bytes)
    return bytes.count
  }

  private static func check(
    _ payload: borrowing ByteWriter,
    of kind: RecordKind,
    _ coding: Coding<State>
  ) throws(CodingError) {
    var decoder = ValueDecoder(coding)
    try decoder.decode(payload.buffer, of: kind.type) { _ in }
  }
}

extension SnapshotFile {
  /// Reads a snapshot.
  ///
  /// - Parameter readsOlder: whether a version is read that `coding` does not write. The fold may have changed with the
  ///   version, so that the events would lead to another state.
  init(
    after event: Int,
    coding: Coding<State>,
    readingOlder readsOlder: Bool = false,
    in folder: JournalFolder
  ) throws(JournalError) {
    let file = folder.snapshot(after: event)
    var decoder = ValueDecoder(coding)
    var states: [State] = []
    do throws(FileFailure) {
      var input = try SegmentInput(file, as: .snapshot, on: folder.system)
      try input.readAll { (record) throws(FileFailure) in
        guard readsOlder || coding.writes(record.kind.type) else {
          let readable = coding.kinds.map { "\($0.name), version \($0.version)" }
          throw FileFailure(record, CodingError(record.kind.type, .unknown(readable: readable)))
        }
        try decoder.decode(record) { states.append($0) }
      }
      guard let header = input.reader.header, header.firstEvent == UInt64(event), states.count == 1 else {
        throw FileFailure(at: 10, .malformed("it is no snapshot of the event that its name has"), event: event)
      }
      self.init(state: states[0], event: event, identity: header.identity, size: input.reader.offset)
    } catch {
      throw JournalError(error, file: file)
    }
  }

  /// Chooses the newest snapshot that can be used.
  ///
  /// - Parameters:
  ///   - newest: the newest event that may be in it.
  ///   - ignored: gets why a snapshot could not be used.
  /// - Returns: `nil` if the folder has all events, and no snapshot that can be used.
  static func newest(
    atMost newest: Int = .max,
    listing: FolderListing,
    coding: Coding<State>,
    in folder: JournalFolder,
    ignored: (Int, JournalError) -> Void
  ) throws(JournalError) -> SnapshotFile? {
    let first = listing.segments.first ?? 1
    var errors: [(event: Int, error: JournalError)] = []
    // An older version of the state is converted only if the events that led to it are gone.
    for readsOlder in first > 1 ? [false, true] : [false] {
      errors = []
      for event in listing.snapshots.reversed() where event <= newest {
        do throws(JournalError) {
          let snapshot = try SnapshotFile(after: event, coding: coding, readingOlder: readsOlder, in: folder)
          for (event, error) in errors { ignored(event, error) }
          return snapshot
        } catch {
          // A writer may just have deleted it.
          if case .system(_, _, let code) = error, code != SystemError.notThere { throw error }
          errors.append((event, error))
        }
      }
    }
    for (event, error) in errors { ignored(event, error) }
    if first == 1 { return nil }
    var reason = "the folder begins with event \(first), and has no snapshot"
    if newest < .max { reason += " before event \(newest)" }
    if let last = errors.last {
      reason += " that can be read: \(last.error)"
    } else if let oldest = listing.snapshots.first {
      reason += ". The oldest state that is there is that after event \(oldest)"
    }
    throw .missing(folder: folder.path, event: 1, reason: reason)
  }
}
