/// One segment of a journal that is read, batch by batch.
struct SegmentInput: ~Copyable {
  /// What was found.
  enum Step {
    /// A batch, or the header.
    case batch
    /// The batch that ends the segment, and nothing behind it.
    case sealed
    /// The end of the bytes, where a batch may begin.
    case end
  }

  let file: String
  private(set) var reader = SegmentReader()
  private var input: FileInput
  private var bytes: [UInt8] = []

  /// Opens the segment that begins with an event.
  ///
  /// - Parameter known: events up to this one need not be visited.
  init(from event: Int, in folder: JournalFolder, knowing known: Int = 0) throws(JournalError) {
    reader.known = UInt64(known)
    file = folder.segment(from: event)
    do throws(SystemError) {
      input = try FileInput(file, on: folder.system)
    } catch {
      throw .system(file: file, call: error.call, code: error.code)
    }
  }

  /// The number of the event that comes next.
  var nextEvent: Int { Int(truncatingIfNeeded: reader.nextEvent) }

  /// How many bytes are left.
  var remaining: Int { input.remaining }

  /// Looks again how long the file is.
  mutating func noteGrowth() throws(SystemError) { try input.noteGrowth() }

  /// Reads the header, or one batch.
  ///
  /// - Parameter visit: takes the records of the batch when its checksum has been compared.
  /// - Errors: ``Damage``, ``SystemError`` and what `visit` throws.
  mutating func read(_ visit: (Record) throws -> Void) throws -> Step {
    if reader.isSealed {
      if input.remaining > 0 { throw Damage(at: reader.offset, .goesOn) }
      return .sealed
    }
    if reader.header != nil, input.remaining == 0 { return .end }
    repeat {
      try input.read(reader.wanted, into: &bytes)
      try bytes.withUnsafeBytes { try reader.take($0, visit) }
    } while reader.offset != reader.endOfBatch
    if let content = reader.header?.content, content != .segment {
      throw Damage(at: 10, .content(Int(content.rawValue)))
    }
    return .batch
  }

  /// All bytes behind the last whole batch.
  func rest(in folder: JournalFolder) throws(SystemError) -> [UInt8] {
    var input = try FileInput(file, on: folder.system)
    var before: [UInt8] = []
    var left = reader.endOfBatch
    while left > 0, input.remaining > 0 {
      try input.read(min(left, 1 << 16), into: &before)
      left -= before.count
    }
    var rest: [UInt8] = []
    try input.read(input.remaining, into: &rest)
    return rest
  }

  /// The error of a journal for what ``read(_:)`` has thrown.
  func error(for error: any Error) -> JournalError {
    switch error {
    case let error as JournalError: error
    case let error as SystemError: .system(file: file, call: error.call, code: error.code)
    case let damage as Damage: JournalError(damage, file: file, event: reader.header.map { _ in nextEvent })
    default: .damaged(file: file, offset: reader.offset, event: nil, reason: "\(error)")
    }
  }
}
