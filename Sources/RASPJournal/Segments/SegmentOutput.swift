import Aggregate

/// The newest segment of a journal, which is written.
struct SegmentOutput: ~Copyable {
  /// How many bytes wait in memory at most until they are written, but for those of a batch.
  private static let mostWaiting = 4 << 20

  let file: String
  /// How many bytes were written.
  private(set) var size = 0

  private let folder: JournalFolder
  private let descriptor: Int32
  private var writer: SegmentWriter
  private var kinds: KindNumbers

  /// Makes the file. ``begin(_:_:)`` comes next.
  init(
    _ header: FileHeader,
    kinds: [TypeVersion],
    batchSize: Int,
    in folder: JournalFolder
  ) throws(JournalError) {
    assert(header.content == .segment && header.firstEvent > 0, "a segment begins with an event")
    let (file, system) = (folder.segment(from: Int(header.firstEvent)), folder.system)
    descriptor = try JournalError.naming(file) { () throws(SystemError) in try system.create(file) }
    self.file = file
    self.folder = folder
    self.kinds = KindNumbers(.event, of: kinds)
    writer = SegmentWriter(header, limit: batchSize)
  }

  /// When this returns, the file is on the medium with its header and its name.
  mutating func begin(_ header: FileHeader, _ description: RecordingDescription) throws(JournalError) {
    try write()
    try sync()
    let folder = folder
    try JournalError.naming(folder.path) { () throws(SystemError) in try folder.system.syncFolder(folder.path) }
    writer.newestDurable = header.firstEvent - 1
    var payload = ByteWriter()
    description.append(to: &payload)
    writer.append(kind: writer.define(RecordingDescription.kind), payload: payload)
  }

  deinit {
    // What must be on the medium has been synced.
    try? folder.system.close(descriptor)
  }

  /// The checksum of the last batch with a body.
  var link: UInt32 { writer.link }

  /// Takes an event for the next batch.
  ///
  /// - Parameter kind: the place of its kind in the coding.
  mutating func append(_ event: Record.Event, kind: Int, payload: borrowing ByteWriter) throws(JournalError) {
    writer.append(event, kind: kinds.number(at: kind, in: &writer), payload: payload)
    // Large events do not wait in memory until all have been taken that are written together.
    if writer.finishedCount >= Self.mostWaiting { try writeFinished() }
  }

  /// Writes all events that were taken.
  mutating func write() throws(JournalError) {
    writer.endBatch()
    try writeFinished()
  }

  private mutating func writeFinished() throws(JournalError) {
    size += writer.finishedCount
    try writer.takeFinished { (bytes) throws(JournalError) in
      try JournalError.naming(file) { () throws(SystemError) in try folder.system.writeAll(bytes, to: descriptor) }
    }
  }

  /// Returns when all that was written is on the medium.
  mutating func sync() throws(JournalError) {
    let system = folder.system
    try JournalError.naming(file) { () throws(SystemError) in
      try system.sync(descriptor)
      if try system.isRemoved(descriptor, at: file) { throw SystemError("fstat", SystemError.notThere) }
    }
  }

  /// Says in the next batches that the events up to this one are on the medium.
  mutating func noteDurable(_ event: Int) {
    assert(writer.newestDurable.map { $0 <= UInt64(event) } ?? true, "fewer events are on the medium than before")
    writer.newestDurable = UInt64(event)
  }

  /// Ends the segment. When this returns, all of it is on the medium.
  mutating func end() throws(JournalError) {
    writer.seal()
    try write()
    try sync()
  }
}
