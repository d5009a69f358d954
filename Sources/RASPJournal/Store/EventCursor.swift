import Aggregate

/// Reads the events of a folder in their order, also while they are written.
struct EventCursor<Event: Sendable>: ~Copyable {
  private let folder: JournalFolder
  private let coding: Coding<Event>
  private var segment: Int
  private var input: SegmentInput
  private var decoder: ValueDecoder<Event>

  /// Begins with the segment that has the event, or with the one behind it.
  ///
  /// - Parameter listing: the files of the folder, or of some moment before.
  init(
    at event: Int,
    listing: FolderListing,
    coding: Coding<Event>,
    in folder: JournalFolder
  ) throws(JournalError) {
    guard let start = listing.segments.last(where: { $0 <= max(event, 1) }) else {
      let first = listing.segments.first.map { "the folder begins with event \($0)" } ?? "there are no events yet"
      throw .missing(folder: folder.path, event: max(event, 1), reason: first)
    }
    input = try folder.openSegment(from: start, for: max(event, 1))
    segment = start
    self.folder = folder
    self.coding = coding
    decoder = ValueDecoder(coding)
  }

  /// The mark of the event that was read last.
  var mark: EventMark? {
    guard let header = input.reader.header else { return nil }
    return EventMark(header, checksum: input.nextEvent == segment ? header.link : input.reader.link)
  }

  /// Reads one batch.
  ///
  /// - Parameters:
  ///   - written: the newest event that is in the folder.
  ///   - unreadable: gets each event that the coding does not read, and returns whether it is passed over. Otherwise it
  ///     is an error.
  ///   - visit: gets the events of the batch.
  /// - Returns: `false` if all events up to `written` have been read.
  mutating func readBatch(
    upTo written: Int,
    unreadable: (Int, CodingError) -> Bool = { _, _ in false },
    _ visit: (StoredEvent<Event>) -> Void
  ) throws(JournalError) -> Bool {
    while input.reader.header == nil || input.nextEvent <= written {
      let before = input.nextEvent
      let isBegun = input.reader.header != nil
      let step = try readStep(unreadable, visit)
      assert(input.nextEvent >= before || !isBegun, "a batch that goes back")
      switch step {
      case .batch where isBegun && input.nextEvent > before: return true
      case .batch, .end: break
      case .sealed:
        segment = input.nextEvent
        input = try folder.openSegment(from: segment, for: segment)
        decoder = ValueDecoder(coding)
      }
    }
    return false
  }

  private mutating func readStep(
    _ unreadable: (Int, CodingError) -> Bool,
    _ visit: (StoredEvent<Event>) -> Void
  ) throws(JournalError) -> SegmentInput.Step {
    do throws(FileFailure) {
      // The batch with the next event is there as a whole, perhaps since a moment ago.
      try input.noteGrowth()
      let step = try input.read { (record) throws(FileFailure) in
        guard let (number, cause, time) = try record.journalEvent() else { return }
        do throws(FileFailure) {
          try decoder.decode(record) { visit(StoredEvent(number: number, event: $0, cause: cause, time: time)) }
        } catch {
          guard case .value(let reason) = error.kind, unreadable(number, reason) else { throw error }
        }
      }
      if case .end = step { throw FileFailure(at: input.reader.offset, .endsEarly, event: input.nextEvent) }
      return step
    } catch {
      throw JournalError(error, file: folder.segment(from: segment))
    }
  }
}
