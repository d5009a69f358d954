extension StoredFolder {
  /// The last event before a place; 0 if there is none. At a date it is the newest one whose time is not later.
  ///
  /// - Complexity: O(events) for a date.
  package func lastEvent(at position: JournalPosition) throws(JournalError) -> Int {
    if let event = position.event { return event }
    let time = position.time
    var last: Int?
    var hasPassed = false
    for file in files where file.content != .snapshot {
      if last == nil { last = file.firstEvent - 1 }
      let summary = file.read { value in
        guard let number = value.number, let own = value.time else { return }
        if own <= time { (last, hasPassed) = (number, false) } else { hasPassed = true }
      }
      if let failure = summary.failure, !hasPassed { throw failure }
    }
    return last ?? 0
  }

  /// Writes a copy of folders that ends at a place: of a journal, or of all partitions of a log. Nothing else is
  /// changed.
  ///
  /// - Parameters:
  ///   - root: the path at which the folders were found.
  ///   - path: a folder that is not there.
  /// - Returns: the last event of each copy.
  /// - Errors: what is damaged up to there.
  package static func copy(
    _ folders: [StoredFolder],
    at root: String,
    to path: String,
    endingAt position: JournalPosition
  ) throws(JournalError) -> [Int] {
    var ends: [Int] = []
    let isLog = folders.first.map { $0.path != root } ?? false
    if isLog, let system = folders.first?.folder?.system { try make(JournalFolder(path: path, system: system)) }
    for folder in folders {
      let end = try folder.lastEvent(at: position)
      try folder.copy(to: isLog ? "\(path)/\(folder.name)" : path, endingBehind: end)
      ends.append(end)
    }
    return ends
  }

  private static func make(_ folder: JournalFolder) throws(JournalError) {
    let isNew = try folder.call(folder.path) { (system) throws(SystemError) in try system.createFolder(folder.path) }
    if !isNew { throw .refused(folder: folder.path, reason: "the folder is there already. Name one that is not.") }
  }

  /// Writes a copy that ends behind an event, and that was closed there.
  private func copy(to path: String, endingBehind last: Int) throws(JournalError) {
    guard let folder else {
      let reason =
        "only the folder of a journal or a log can be cut: the last state of a recording is made by its program."
      throw .refused(folder: self.path, reason: reason)
    }
    let segments = files.filter { $0.content == .segment }
    let snapshots = files.filter { $0.content == .snapshot && $0.firstEvent <= last }
    if let first = segments.first?.firstEvent, first > 1, !snapshots.contains(where: { $0.firstEvent >= first - 1 }) {
      let reason = "the folder begins with event \(first), and has no state before event \(last + 1)"
      throw .missing(folder: self.path, event: 1, reason: reason)
    }
    let target = JournalFolder(path: path, system: folder.system)
    try Self.make(target)
    var previous: (file: StoredFile, summary: StoredFile.Summary)?
    var whole = 0
    for file in segments where file.firstEvent <= last {
      if let previous, let reason = file.breakBehind(previous.file, previous.summary) {
        throw .missing(folder: self.path, event: previous.summary.nextEvent, reason: reason)
      }
      let cut = try SegmentCut(file.path, behind: last, on: folder.system)
      try target.copy(file.path, upTo: cut.wholeSize, cut.rest, to: target.segment(from: file.firstEvent))
      previous = (file, cut.summary)
      whole = cut.wholeEvent
    }
    let end = previous.map { $0.summary.nextEvent - 1 } ?? 0
    guard end == last else {
      throw .missing(folder: self.path, event: end + 1, reason: "the newest event is \(end)")
    }
    // The batch that was cut has another checksum, and what is in a record says which one it had.
    for file in snapshots where file.firstEvent <= whole && file.read().failure == nil {
      try target.copy(file.path, upTo: file.size, [], to: target.snapshot(after: file.firstEvent))
    }
    if last > 0 { try target.noteClosing(behind: last) }
  }
}

extension JournalFolder {
  /// Copies the first bytes of a file, and puts others behind them.
  fileprivate func copy(
    _ source: String,
    upTo size: Int,
    _ rest: [UInt8],
    to file: String
  ) throws(JournalError) {
    try system.replace(file) { (write) throws(JournalError) in
      var input: FileInput
      do throws(FileFailure) { input = try FileInput(source, on: system) } catch {
        throw JournalError(error, file: source)
      }
      var left = min(size, input.remaining)
      var bytes: [UInt8] = []
      while left > 0 {
        do throws(FileFailure) {
          try input.read(min(left, 1 << 20), into: &bytes)
        } catch {
          throw JournalError(error, file: source)
        }
        if bytes.isEmpty { break }
        left -= bytes.count
        try write(bytes)
      }
      if !rest.isEmpty { try write(rest) }
    }
  }
}
