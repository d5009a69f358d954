import Aggregate

/// Reads the events of a folder in their order, also while they are written.
struct EventCursor<State: AggregateState>: ~Copyable {
  private let folder: JournalFolder
  private let coding: Coding<State.Event>
  private var input: SegmentInput
  private var decoder: EventDecoder<State>

  /// Begins with the segment that has the event, or with the one behind it.
  ///
  /// - Parameter listing: the files of the folder, or of some moment before.
  init(
    at event: Int,
    listing: FolderListing,
    coding: Coding<State.Event>,
    in folder: JournalFolder
  ) throws(JournalError) {
    guard let start = listing.segments.last(where: { $0 <= max(event, 1) }) else {
      let first = listing.segments.first.map { "the folder begins with event \($0)" } ?? "there are no events yet"
      throw .missing(folder: folder.path, event: max(event, 1), reason: first)
    }
    let input = try Self.open(start, of: max(event, 1), in: folder)
    self.folder = folder
    self.coding = coding
    decoder = EventDecoder(coding, file: input.file)
    self.input = input
  }

  private static func open(
    _ segment: Int,
    of event: Int,
    in folder: JournalFolder
  ) throws(JournalError) -> SegmentInput {
    do throws(JournalError) {
      return try SegmentInput(from: segment, in: folder)
    } catch {
      // The writer has deleted it meanwhile.
      guard case .system(_, _, SystemError.notThere) = error, let first = try folder.listing().segments.first else {
        throw error
      }
      throw .missing(folder: folder.path, event: event, reason: "the folder begins with event \(first)")
    }
  }

  /// Reads one batch.
  ///
  /// - Parameters:
  ///   - written: the newest event that is in the folder.
  ///   - visit: gets the entries of the batch.
  /// - Returns: `false` if all events up to `written` have been read.
  mutating func readBatch(
    upTo written: Int,
    _ visit: (Recording<State>.Entry) -> Void
  ) throws(JournalError) -> Bool {
    do {
      while input.reader.header == nil || input.nextEvent <= written {
        // The batch with the next event is there as a whole, perhaps since a moment ago.
        try input.noteGrowth()
        let before = input.nextEvent
        let isBegun = input.reader.header != nil
        let step = try input.read { record in try decoder.decode(record, visit) }
        switch step {
        case .batch where isBegun && input.nextEvent > before: return true
        case .batch: break
        case .sealed:
          input = try Self.open(input.nextEvent, of: input.nextEvent, in: folder)
          decoder = EventDecoder(coding, file: input.file)
        case .end: throw Damage(at: input.reader.offset, .endsEarly)
        }
      }
      return false
    } catch {
      throw input.error(for: error)
    }
  }
}
