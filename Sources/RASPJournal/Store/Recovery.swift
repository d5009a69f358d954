import Aggregate

/// What is in a folder, found by reading, and how the folder has to be changed so that a writer can go on.
struct Recovery<State: AggregateState> {
  /// What is done with the newest segment before a new one is begun.
  enum Repair: Equatable {
    /// It has no event, and counts as not there.
    case remove
    /// It is cut behind its last whole batch, and ended.
    case end(cutTo: Int, rest: [UInt8])
    /// It gets another name, because something before it is damaged.
    case setAside
  }

  private(set) var listing: FolderListing
  private(set) var replay: StateReplay<State>
  private(set) var report = JournalRecovery()
  private(set) var identity: UInt128?
  private(set) var repairs: [(segment: Int, repair: Repair)] = []
  /// Snapshots that are set aside, because events before them are damaged.
  private(set) var lostSnapshots: [Int] = []
  /// The checksum of the last batch, and the time of the newest one.
  private(set) var link: UInt32 = 0
  private(set) var wallTime: UInt64 = 0
  /// The batch that ends the newest segment.
  private(set) var lastBatch: [UInt8] = []

  private let cutsDamage: Bool
  /// Is `true` when nothing behind can be used.
  private var isCut = false

  /// Reads the folder and changes nothing.
  ///
  /// - Parameter cutsDamage: if it is `true`, what is damaged is to be cut off with all that is behind it. Otherwise damage
  ///   is an error.
  init(
    of folder: JournalFolder,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    cutsDamage: Bool = false,
    progress: (Int) -> Void = { _ in }
  ) throws(JournalError) {
    self.cutsDamage = cutsDamage
    var ignored: [(Int, JournalError)] = []
    listing = try folder.ownListing { event in
      let failure = FileFailure(at: 32, .malformed("the file belongs to another journal"), event: event)
      ignored.append((event, JournalError(failure, file: folder.snapshot(after: event))))
    }
    if let newest = listing.segments.last, try Self.hasNoHeader(newest, in: folder) {
      repairs.append((newest, .remove))
      listing.removeSegment(from: newest)
    }
    replay = try .base(initial, listing: listing, coding: coding.states, in: folder) { ignored.append(($0, $1)) }
    report.ignored = ignored.map { (event: $0, reason: $1) }
    for (event, _) in ignored { listing.noteUnusable(snapshotAfter: event) }
    report.snapshot = replay.event
    identity = replay.identity
    let newestSnapshot = listing.snapshots.last ?? 0
    guard let start = StateReplay<State>.start(behind: replay.event, in: listing.segments) else {
      if listing.segments.isEmpty, newestSnapshot == 0 { return }
      throw .missing(folder: folder.path, event: max(replay.event, 1), reason: "there is no segment that has it")
    }
    var next: Int?
    var behind = listing.segments[start...]
    while let segment = behind.first, !isCut {
      if let next, next != segment {
        if cutsDamage { break }
        throw .missing(folder: folder.path, event: next, reason: "the next segment begins with event \(segment)")
      }
      next = try read(segment, in: folder, coding: coding, isFirst: next == nil, progress)
      behind.removeFirst()
    }
    for segment in behind {
      repairs.append((segment, .setAside))
      listing.removeSegment(from: segment)
    }
    if let next, next <= newestSnapshot {
      guard cutsDamage else {
        throw .missing(
          folder: folder.path,
          event: next,
          reason: "a snapshot shows that there were events up to \(newestSnapshot)"
        )
      }
      lostSnapshots = listing.snapshots.filter { $0 >= next }
    }
    for (segment, repair) in repairs {
      switch repair {
      case .remove: break
      case .end(_, let rest): report.cutBytes += rest.count
      case .setAside: report.cutBytes += try folder.openSegment(from: segment).remaining
      }
    }
    report.event = replay.event
    // Read from its name: an event may have become none.
    if let next { report.event = next - 1 }
  }

  /// The header is on the medium before the first batch is written, so a file without one has nothing.
  private static func hasNoHeader(_ segment: Int, in folder: JournalFolder) throws(JournalError) -> Bool {
    var input = try folder.openSegment(from: segment)
    if input.remaining > FileHeader.size { return false }
    do throws(FileFailure) {
      _ = try input.read { _ in }
      return false
    } catch {
      if case .format = error.kind { return false }
      if error.kind.isDamage { return true }
      throw JournalError(error, file: folder.segment(from: segment))
    }
  }

  /// - Returns: the number of the event behind the segment.
  private mutating func read(
    _ segment: Int,
    in folder: JournalFolder,
    coding: RecordingCoding<State>,
    isFirst: Bool,
    _ progress: (Int) -> Void
  ) throws(JournalError) -> Int {
    var input = try folder.openSegment(from: segment)
    input.leaveOut(upTo: report.snapshot)
    var decoder = ValueDecoder(coding.events)
    let isNewest = segment == listing.segments.last
    do throws(FileFailure) {
      _ = try input.read { _ in }
      try check(input.reader.header, of: segment, isFirst: isFirst)
      var step = SegmentInput.Step.batch
      var damage: FileFailure?
      while case .batch = step {
        do throws(FileFailure) {
          step = try input.read { (record) throws(FileFailure) in try replay.fold(record, &decoder, coding.loops) }
        } catch  where cutsDamage && error.kind.isDamage || isNewest && error.kind.canBeTorn {
          damage = error
          step = .end
        }
        if input.nextEvent - 1 > report.snapshot { progress(input.nextEvent - 1) }
      }
      link = input.reader.link
      wallTime = input.reader.wallTime
      if case .sealed = step { return input.nextEvent }
      guard isNewest || cutsDamage else {
        throw FileFailure(at: input.reader.endOfBatch, .endsEarly, event: input.nextEvent)
      }
      isCut = !isNewest || damage != nil
      try end(segment, input, damage, in: folder)
      return input.nextEvent
    } catch {
      guard cutsDamage, error.kind.isDamage else { throw JournalError(error, file: folder.segment(from: segment)) }
      // The header, or a segment that does not follow the one before.
      isCut = true
      repairs.append((segment, .setAside))
      listing.removeSegment(from: segment)
      return segment
    }
  }

  private mutating func check(_ header: FileHeader?, of segment: Int, isFirst: Bool) throws(FileFailure) {
    guard let header else { return }
    let event = Int(truncatingIfNeeded: header.firstEvent)
    guard event == segment else { throw FileFailure(at: 16, .malformed("the file has another name"), event: event) }
    if let identity, header.identity != identity {
      throw FileFailure(at: 32, .malformed("the file belongs to another journal"), event: event)
    }
    identity = header.identity
    guard isFirst || header.link == link else { throw FileFailure(at: 48, .link, event: event) }
  }

  /// Decides what becomes of the newest segment, which was not ended.
  private mutating func end(
    _ segment: Int,
    _ input: borrowing SegmentInput,
    _ damage: FileFailure?,
    in folder: JournalFolder
  ) throws(FileFailure) {
    var rest: [UInt8] = []
    if let damage {
      rest = try folder.rest(ofSegmentFrom: segment, behind: input.reader.endOfBatch)
      let salt = input.reader.header?.salt ?? 0
      let isTorn = TornTail.mayBeCut(rest, salt: salt, nextEvent: input.reader.nextEvent)
      guard isTorn || cutsDamage else { throw damage }
    }
    if input.nextEvent == segment {
      repairs.append((segment, rest.isEmpty ? .remove : .setAside))
      listing.removeSegment(from: segment)
      link = input.reader.header?.link ?? 0
    } else {
      repairs.append((segment, .end(cutTo: input.reader.endOfBatch, rest: rest)))
      if !input.reader.isSealed { (lastBatch, link) = SegmentWriter.lastBatch(behind: input.reader) }
    }
  }
}
