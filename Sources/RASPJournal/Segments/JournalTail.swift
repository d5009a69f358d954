import Aggregate
import Streams

/// The end of a journal, where events are appended: its newest segment, and what the next one needs to know. It knows no
/// types of values.
@usableFromInline
struct JournalTail: ~Copyable {
  let folder: JournalFolder
  /// The newest event that was taken.
  private(set) var newest: Int
  private(set) var syncs: SyncPlan
  private(set) var plan: SegmentPlan
  private(set) var listing: FolderListing
  /// Microseconds since 1970: times never go back in a journal.
  private(set) var time: Int64
  let identity: UInt128

  private let clock: JournalClock
  private let kinds: [TypeVersion]
  private let description: RecordingDescription
  private var link: UInt32
  private var segment: SegmentOutput?
  /// The bytes of the events that were taken and not written.
  private var waitingBytes = 0

  /// - Parameters:
  ///   - newest: the newest event that is there.
  ///   - identity: that of the files that are there.
  ///   - link: the checksum of the last batch.
  ///   - wallTime: the time of the last batch.
  init(
    _ folder: JournalFolder,
    _ listing: FolderListing,
    newest: Int,
    identity: UInt128?,
    link: UInt32,
    wallTime: UInt64,
    kinds: [TypeVersion],
    description: RecordingDescription,
    policy: SyncPolicy,
    plan: SegmentPlan,
    clock: JournalClock
  ) {
    self.folder = folder
    self.listing = listing
    self.newest = newest
    self.identity = identity ?? clock.stamp().identity
    self.link = link
    self.kinds = kinds
    self.description = description
    self.plan = plan
    self.clock = clock
    syncs = SyncPlan(policy, at: newest)
    time = Int64(clamping: wallTime / 1_000)
  }

  /// Takes the next event.
  ///
  /// - Parameter time: microseconds since 1970.
  /// - Errors: an event that cannot be encoded is not taken. Those before it are as they were.
  @inlinable
  mutating func append<Event: Sendable>(
    _ event: Event,
    cause: Cause,
    time: Int64,
    _ encoder: inout ValueEncoder<Event>
  ) throws(JournalError) {
    let kind: Int
    do throws(CodingError) {
      kind = try encoder.encode(event)
    } catch {
      throw unwritable(error)
    }
    try append(encoder.payload, kind: kind, cause: cause, time: time)
  }

  @usableFromInline
  func unwritable(_ error: CodingError) -> JournalError {
    // Without a segment there is no file yet.
    let file = segment == nil ? nil : listing.segments.last.map(folder.segment(from:))
    return .unwritable(file: file ?? folder.path, event: newest + 1, reason: error)
  }

  @usableFromInline
  mutating func append(_ payload: borrowing ByteWriter, kind: Int, cause: Cause, time: Int64) throws(JournalError) {
    if segment == nil { try begin() }
    self.time = max(self.time, time)
    newest += 1
    try segment?.append(
      Record.Event(number: UInt64(newest), time: self.time, cause: CauseNumbers(cause)),
      kind: kind,
      payload: payload
    )
    plan.noteEvents(1, bytes: payload.count)
    // A record has more than its payload.
    waitingBytes += payload.count + 8
  }

  /// Is `true` if as many bytes as a batch has wait to be written.
  var isBatchFull: Bool { waitingBytes >= plan.batchSize }

  /// Writes what was taken.
  mutating func write() throws(JournalError) {
    guard newest > syncs.written else { return }
    try segment?.write()
    waitingBytes = 0
    syncs.noteWrite(upTo: newest, at: clock.now())
  }

  /// Syncs if it is time for that.
  mutating func syncIfDue() throws(JournalError) {
    if let deadline = syncs.deadline, deadline <= clock.now() { try sync() }
  }

  /// The time until ``syncIfDue()`` has something to do; `nil` if it has nothing.
  var timeToSync: Duration? { syncs.deadline.map { max(.zero, $0 - clock.now()) } }

  /// Returns when all that was written is on the medium.
  mutating func sync() throws(JournalError) {
    guard syncs.durable < syncs.written else { return }
    try segment?.sync()
    syncs.noteSync()
    segment?.noteDurable(syncs.durable)
  }

  /// Ends the newest segment: nothing in it can be torn then.
  mutating func endSegment() throws(JournalError) {
    try segment?.end()
    if let last = segment?.link { link = last }
    syncs.noteSync()
    segment = nil
  }

  mutating func endSegmentIfDue(isAtSnapshot: Bool, _ retention: JournalRetention) throws(JournalError) {
    let size = segment?.size ?? 0
    if plan.endsSegment(size: size, isAtSnapshot: isAtSnapshot, retention: retention) { try endSegment() }
  }

  /// Closes the newest segment as it is.
  mutating func abandon() { segment = nil }

  private mutating func begin() throws(JournalError) {
    let stamp = clock.stamp()
    let header = FileHeader(
      content: .segment,
      salt: stamp.salt,
      firstEvent: UInt64(newest) + 1,
      // Batches are not older than the header.
      wallTime: UInt64(clamping: time) * 1_000,
      identity: identity,
      link: link
    )
    segment = try .begin(header, kinds: kinds, description: description, batchSize: plan.batchSize, in: folder)
    listing.addSegment(from: newest + 1)
  }
}

extension JournalTail {
  /// What a file that is made now has in its header.
  var stamp: FileStamp {
    FileStamp(salt: clock.stamp().salt, wallTime: UInt64(clamping: time) * 1_000, identity: identity)
  }

  /// Notes that a snapshot could not be made.
  mutating func noteFailedSnapshot() { plan.noteFailedSnapshot() }

  /// Notes that there is a snapshot.
  mutating func noteSnapshot(after event: Int, size: Int) {
    plan.noteSnapshot(size: size)
    listing.addSnapshot(after: event)
  }

  /// Deletes file by file, so that a hole is never left between files.
  mutating func removeObsolete(_ retention: JournalRetention) throws(JournalError) {
    let obsolete = retention.obsolete(in: listing, newest: newest)
    for event in obsolete.snapshots {
      try folder.remove(folder.snapshot(after: event))
      listing.removeSnapshot(after: event)
    }
    for event in obsolete.segments {
      try folder.remove(folder.segment(from: event))
      listing.removeSegment(from: event)
    }
  }
}
