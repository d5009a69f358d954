/// A file in format 1 that is read batch by batch: a segment, a snapshot or a recording, or bytes in memory that have
/// the format of one.
struct SegmentInput: ~Copyable {
  /// What was found.
  enum Step {
    /// A batch, or the header.
    case batch
    /// The batch that ends the file, and nothing behind it.
    case sealed
    /// The end of the bytes, where a batch may begin.
    case end
  }

  private(set) var reader = SegmentReader()
  /// How many bytes there were when it was opened. A writer may have appended more since.
  let size: Int
  private let content: FileHeader.Content
  private var input: FileInput
  private var bytes: [UInt8] = []

  /// Opens a file.
  init(_ path: String, as content: FileHeader.Content, on system: any FileSystem) throws(FileFailure) {
    self.content = content
    input = try FileInput(path, on: system)
    size = input.remaining
  }

  init(_ bytes: [UInt8], as content: FileHeader.Content) {
    self.content = content
    input = FileInput(bytes)
    size = bytes.count
  }

  /// The number of the event that comes next.
  var nextEvent: Int { Int(truncatingIfNeeded: reader.nextEvent) }

  /// How many bytes are left.
  var remaining: Int { input.remaining }

  /// Events up to this one need not be visited: their batches are only checked.
  mutating func leaveOut(upTo event: Int) {
    assert(event >= 0 && reader.offset == 0, "records were visited already")
    reader.known = UInt64(event)
  }

  /// Looks again how long the file is.
  mutating func noteGrowth() throws(FileFailure) { try input.noteGrowth() }

  /// Reads the header, or one batch.
  ///
  /// - Parameter visit: takes the records of the batch when its checksum has been compared.
  mutating func read(_ visit: (Record) throws(FileFailure) -> Void) throws(FileFailure) -> Step {
    do throws(FileFailure) {
      return try readStep(visit)
    } catch {
      var error = error
      // A snapshot of rows is behind no event.
      if error.kind.isDamage, reader.header != nil, nextEvent > 0 { error.event = nextEvent }
      throw error
    }
  }

  /// Reads the whole file, up to the batch that ends it.
  mutating func readAll(_ visit: (Record) throws(FileFailure) -> Void) throws(FileFailure) {
    while true {
      switch try read(visit) {
      case .batch: continue
      case .sealed: return
      case .end: throw FileFailure(at: reader.offset, .endsEarly, event: nextEvent)
      }
    }
  }

  private mutating func readStep(_ visit: (Record) throws(FileFailure) -> Void) throws(FileFailure) -> Step {
    if reader.isSealed {
      if input.remaining > 0 { throw FileFailure(at: reader.offset, .goesOn) }
      return .sealed
    }
    if reader.header != nil, input.remaining == 0 { return .end }
    repeat {
      try input.read(reader.wanted, into: &bytes)
      try bytes.withUnsafeBufferPointer { (bytes) throws(FileFailure) in
        try reader.take(UnsafeRawBufferPointer(bytes), visit)
      }
    } while reader.offset != reader.endOfBatch
    if let found = reader.header?.content, found != content {
      throw FileFailure(at: 10, .content(Int(found.rawValue)))
    }
    return .batch
  }
}

extension JournalFolder {
  /// Opens the segment that begins with an event.
  func openSegment(from event: Int) throws(JournalError) -> SegmentInput {
    let file = segment(from: event)
    do throws(FileFailure) {
      return try SegmentInput(file, as: .segment, on: system)
    } catch {
      throw JournalError(error, file: file)
    }
  }

  /// Opens a segment that a writer may have deleted meanwhile.
  ///
  /// - Parameter event: the one that is needed.
  func openSegment(from segment: Int, for event: Int) throws(JournalError) -> SegmentInput {
    do throws(JournalError) {
      return try openSegment(from: segment)
    } catch {
      guard case .system(_, _, SystemError.notThere) = error, let first = try listing().segments.first else {
        throw error
      }
      throw .missing(folder: path, event: event, reason: "the folder begins with event \(first)")
    }
  }

  /// What stands behind the last whole batch of a segment.
  ///
  /// - Parameter size: where it ends. A writer may have appended more since the segment was read up to there.
  func rest(ofSegmentFrom event: Int, behind end: Int, upTo size: Int) throws(FileFailure) -> SegmentRest {
    var input = try FileInput(segment(from: event), on: system)
    var bytes: [UInt8] = []
    var left = end
    while left > 0, input.remaining > 0 {
      try input.read(min(left, 1 << 16), into: &bytes)
      left -= bytes.count
    }
    var rest = SegmentRest()
    left = size - end
    while left > 0 {
      try input.read(min(left, 1 << 20), into: &bytes)
      if bytes.isEmpty { break }
      left -= bytes.count
      guard rest.add(bytes) else {
        throw FileFailure(at: end, .malformed("more than \(SegmentRest.mostBytes) bytes stand behind the last batch"))
      }
    }
    return rest
  }
}
