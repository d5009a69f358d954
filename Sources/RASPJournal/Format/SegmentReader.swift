/// Reads the bytes of one file, step by step, and refuses what is not as it was written. It knows no types of values
/// and no files: the caller gives it as many bytes as it wants, and asks again.
///
/// It allocates what the definitions of a batch take, so never more than in proportion to what it is given.
struct SegmentReader {
  private enum Step {
    case header
    case batch
    case body(Opened)
    case end
  }

  /// A batch whose body is wanted.
  private struct Opened {
    var header: BatchHeader
    var offset: Int
    /// What the header says.
    var checksum: UInt32
    /// What the bytes so far give.
    var computed: CRC32C
  }

  /// The header, when it has been read.
  private(set) var header: FileHeader?
  /// Where the bytes begin that are wanted now.
  private(set) var offset = 0
  /// Where the last batch ends of which all was read.
  private(set) var endOfBatch = 0
  /// The number of the event that comes next if none is left out.
  private(set) var nextEvent: UInt64 = 0

  /// Batches whose events are all up to this one are checked, and their events are not visited.
  var known: UInt64 = 0

  private var step = Step.header
  private(set) var kinds: [RecordKind] = []
  /// The checksum of the last batch with a body; that of the header, or of the file before, if there is none.
  private(set) var link: UInt32 = 0
  private(set) var wallTime: UInt64 = 0

  /// How many bytes are wanted now; 0 after the end.
  var wanted: Int {
    switch step {
    case .header: FileHeader.size
    case .batch: BatchHeader.size
    case .body(let opened): Int(clamping: opened.header.length)
    case .end: 0
    }
  }

  /// Whether the batch that ends the file has been read.
  var isSealed: Bool { if case .end = step { true } else { false } }

  /// Reads the bytes that were wanted.
  ///
  /// - Parameters:
  ///   - bytes: as many as are ``wanted``; less only if the file has no more.
  ///   - visit: takes each record of a batch but the definitions, when the checksum of the batch has been compared.
  ///     What it throws is thrown on.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer,
    _ visit: (Record) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    assert(bytes.count <= wanted, "more bytes than were wanted")
    switch step {
    case .header:
      let header = try FileHeader(bytes)
      self.header = header
      nextEvent = header.firstEvent
      wallTime = header.wallTime
      link = FileHeader.checksum(of: bytes)
      step = .batch
    case .batch:
      guard bytes.count == wanted else { throw FileFailure(at: offset + bytes.count, .endsEarly) }
      let opened = try open(bytes)
      if opened.header.length > 0 {
        step = .body(opened)
      } else {
        try close(opened)
        guard opened.header.count == 0 else { throw FileFailure(at: offset, .malformed("a last batch with events")) }
        step = .end
      }
    case .body(var opened):
      guard bytes.count == wanted else { throw FileFailure(at: offset + bytes.count, .endsEarly) }
      opened.computed.add(bytes)
      try close(opened)
      try read(bytes, of: opened.header, visit)
      step = .batch
    case .end:
      break
    }
    offset += bytes.count
    if case .body = step {} else { endOfBatch = offset }
    assert(endOfBatch <= offset, "a batch ends behind what was read")
  }

  /// Looks at what can be told before the checksum: whether the batch belongs here.
  private func open(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) -> Opened {
    let header = BatchHeader(bytes)
    guard header.salt == self.header?.salt else { throw FileFailure(at: offset, .salt) }
    guard header.link == link else { throw FileFailure(at: offset, .link) }
    var computed = CRC32C()
    BatchHeader.add(bytes, to: &computed)
    return Opened(header: header, offset: offset, checksum: BatchHeader.checksum(of: bytes), computed: computed)
  }

  /// Looks at all of the header, when all bytes have been added.
  private mutating func close(_ opened: Opened) throws(FileFailure) {
    guard opened.computed.value == opened.checksum else { throw FileFailure(at: opened.offset, .checksum) }
    guard opened.header.wallTime >= wallTime else {
      throw FileFailure(at: opened.offset, .malformed("a batch that is older than the one before"))
    }
    let mayLeaveOut = header?.content == .recording
    guard opened.header.firstEvent == nextEvent || mayLeaveOut else { throw FileFailure(at: opened.offset, .link) }
    nextEvent = opened.header.firstEvent
    wallTime = opened.header.wallTime
    // The batch that ends a file tells nothing of the events, so the next file goes on from the one before it.
    if opened.header.length > 0 { link = opened.checksum }
  }

  private mutating func read(
    _ body: UnsafeRawBufferPointer,
    of header: BatchHeader,
    _ visit: (Record) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    let end = header.firstEvent.addingReportingOverflow(UInt64(header.count))
    let isKnown = !end.overflow && end.partialValue <= known &+ 1
    var records = BatchRecords(body, of: header, at: offset, kinds: kinds, leavingOutEvents: isKnown)
    kinds = []
    while let record = try records.next() {
      try visit(record)
      if record.event != nil { nextEvent &+= 1 }
    }
    if isKnown { nextEvent &+= UInt64(header.count) }
    assert(nextEvent == end.partialValue, "a batch with another number of events than its header says")
    kinds = records.kinds
  }
}
