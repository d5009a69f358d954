/// What is in a folder, found by reading, and how the folder has to be changed so that a writer can go on. It knows no
/// types of values.
///
/// ```
///   list the files ──▶ choose the newest snapshot that can be used ──▶ read the segments behind it
/// ```
struct Recovery {
  /// What is done with the newest segment before a new one is begun.
  enum Repair: Equatable {
    /// It has no event, and counts as not there.
    case remove
    /// It is cut behind its last whole batch, and ended.
    case end(cutTo: Int, rest: SegmentRest)
    /// It gets another name, because something before it is damaged.
    case setAside
  }

  private(set) var listing: FolderListing
  private(set) var report = JournalRecovery()
  private(set) var identity: UInt128?
  /// The bytes of the snapshot behind which the events are read; 0 if there is none.
  private(set) var snapshotSize = 0
  private(set) var repairs: [(segment: Int, repair: Repair)] = []
  /// Snapshots that are set aside, because events before them are damaged.
  private(set) var lostSnapshots: [Int] = []
  /// Events behind which the journal was closed, and which are not there any more.
  private(set) var lostClosings: [Int] = []
  /// The checksum of the last batch with a body.
  private(set) var link: UInt32 = 0
  /// The batch that ends the newest segment; empty if the segment has its end, and what was behind it is cut off.
  private(set) var lastBatch: [UInt8] = []

  private let folder: JournalFolder
  private let cutsDamage: Bool
  /// Is `true` when nothing behind can be used.
  private var isCut = false

  /// Looks which files there are. Nothing is changed.
  ///
  /// - Parameter cutsDamage: if it is `true`, what is damaged is to be cut off with all that is behind it. Otherwise
  ///   damage is an error.
  init(of folder: JournalFolder, cutsDamage: Bool = false) throws(JournalError) {
    self.folder = folder
    self.cutsDamage = cutsDamage
    var foreign: [(Int, JournalError)] = []
    listing = try folder.ownListing { event in
      let failure = FileFailure(at: 32, .malformed("the file belongs to another journal"), event: event)
      foreign.append((event, JournalError(failure, file: folder.snapshot(after: event))))
    }
    for (event, error) in foreign { ignore(snapshotAfter: event, error) }
    if let newest = listing.segments.last, try hasNoHeader(newest) {
      repairs.append((newest, .remove))
      listing.removeSegment(from: newest)
    }
  }

  /// Chooses the newest snapshot that can be used. The events behind it are read.
  ///
  /// - Returns: `nil` if all events are read.
  mutating func newestSnapshot<State>(_ coding: Coding<State>) throws(JournalError) -> SnapshotFile<State>? {
    let snapshot = try SnapshotFile<State>.newest(listing: listing, coding: coding, in: folder) {
      ignore(snapshotAfter: $0, $1)
    }
    identity = snapshot?.identity
    snapshotSize = snapshot?.size ?? 0
    report.snapshot = snapshot?.event ?? 0
    report.event = report.snapshot
    return snapshot
  }

  private mutating func ignore(snapshotAfter event: Int, _ error: JournalError) {
    report.ignored.append((event: event, reason: error))
    listing.noteUnusable(snapshotAfter: event)
  }

  /// Reads the segments behind the snapshot.
  ///
  /// - Parameters:
  ///   - progress: gets the number of the last event of each batch.
  ///   - begin: is called before each segment, which counts its kinds anew.
  ///   - visit: gets each record. Those whose events are all in the snapshot may be left out.
  mutating func readSegments(
    progress: (Int) -> Void,
    beginning begin: () -> Void = {},
    _ visit: (Record) throws(FileFailure) -> Void
  ) throws(JournalError) {
    let newestSnapshot = listing.snapshots.last ?? 0
    // That of the newest event of the snapshot, or of the event behind it.
    guard let start = listing.segments.lastIndex(where: { $0 <= max(report.snapshot, 1) }) else {
      if listing.segments.isEmpty, newestSnapshot == 0 { return try checkClosing(before: 1) }
      throw .missing(folder: folder.path, event: max(report.snapshot, 1), reason: "there is no segment that has it")
    }
    var next: Int?
    var behind = listing.segments[start...]
    while let segment = behind.first, !isCut {
      if let next, next != segment {
        if cutsDamage { break }
        throw .missing(folder: folder.path, event: next, reason: "the next segment begins with event \(segment)")
      }
      begin()
      next = try read(segment, isFirst: next == nil, progress, visit)
      behind.removeFirst()
    }
    for segment in behind {
      repairs.append((segment, .setAside))
      listing.removeSegment(from: segment)
    }
    // Read from its name: an event may have become none.
    if let next { report.event = next - 1 }
    assert(behind.isEmpty || cutsDamage, "segments that were not read, and no error")
    if let next, next <= newestSnapshot {
      guard cutsDamage else {
        let reason = "a snapshot shows that there were events up to \(newestSnapshot)"
        throw .missing(folder: folder.path, event: next, reason: reason)
      }
      lostSnapshots = listing.snapshots.filter { $0 >= next }
    }
    if let next { try checkClosing(before: next) }
    for (segment, repair) in repairs {
      switch repair {
      case .remove: break
      case .end(_, let rest): report.cutBytes += rest.count
      case .setAside: report.cutBytes += try folder.openSegment(from: segment).remaining
      }
    }
  }

  /// - Parameter next: the event behind the last one that is there.
  private mutating func checkClosing(before next: Int) throws(JournalError) {
    guard next <= listing.closed else { return }
    lostClosings = listing.closings.filter { $0 >= next }
    if cutsDamage { return }
    let name = "\(JournalFolder.digits(listing.closed)).closed"
    let reason = """
      the journal was closed behind event \(listing.closed), so this is a copy that is too short. Restore a whole one, or \
      remove the file \(name) to go on with what is there.
      """
    throw .missing(folder: folder.path, event: next, reason: reason)
  }

  /// Notes an event that the coding does not read, and that is passed over.
  mutating func skip(_ event: Int, _ reason: CodingError) { report.skip(event, reason) }

  /// The header is on the medium before the first batch is written, so a file without one has nothing.
  private func hasNoHeader(_ segment: Int) throws(JournalError) -> Bool {
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
    isFirst: Bool,
    _ progress: (Int) -> Void,
    _ visit: (Record) throws(FileFailure) -> Void
  ) throws(JournalError) -> Int {
    var input = try folder.openSegment(from: segment)
    input.leaveOut(upTo: report.snapshot)
    // One that was there when the journal was closed has its end.
    let mayBeOpen = segment == listing.segments.last && segment > listing.closed
    do throws(FileFailure) {
      _ = try input.read { _ in }
      try check(input.reader.header, of: segment, isFirst: isFirst)
      var step = SegmentInput.Step.batch
      var damage: FileFailure?
      while case .batch = step {
        do throws(FileFailure) {
          step = try input.read(visit)
        } catch  where cutsDamage && error.kind.isDamage || mayBeOpen && error.kind.canBeTorn {
          damage = error
          step = .end
        }
        if input.nextEvent - 1 > report.snapshot { progress(input.nextEvent - 1) }
      }
      link = input.reader.link
      if case .sealed = step { return input.nextEvent }
      guard mayBeOpen || cutsDamage else {
        throw FileFailure(at: input.reader.endOfBatch, .endsEarly, event: input.nextEvent)
      }
      isCut = !mayBeOpen || damage != nil
      try end(segment, input, damage)
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
    _ damage: FileFailure?
  ) throws(FileFailure) {
    assert(input.reader.header != nil, "a segment without a header")
    var rest = SegmentRest()
    if let damage {
      rest = try folder.rest(ofSegmentFrom: segment, behind: input.reader.endOfBatch, upTo: input.size)
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
      if !input.reader.isSealed { lastBatch = SegmentWriter.lastBatch(behind: input.reader) }
    }
  }
}
