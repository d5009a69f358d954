import RASPHistory

extension JournalFolder {
  /// Makes the folder if it is not there.
  ///
  /// - Returns: the folder with its path from the root and without links. That of the user has another meaning when the
  ///   working folder or a link is changed.
  package func made() throws(JournalError) -> JournalFolder {
    if path.utf8.contains(0) { throw .system(file: path, call: "mkdir", code: SystemError.invalid) }
    let resolved = try call(path) { (system) throws(SystemError) in
      let isNew = try system.createFolder(path)
      let resolved = try system.resolve(path)
      do throws(SystemError) {
        try system.syncFolder(system.folder(of: resolved))
      } catch  where error.code == SystemError.notAllowed && !isNew {
        // A folder of others that may not be listed, as `/home` can be.
      }
      return resolved
    }
    return JournalFolder(path: resolved, system: system)
  }

  /// Makes the folder if it is not there, and keeps other writers out.
  ///
  /// - Parameter patience: how long a writer that is ending is waited for. The thread is blocked.
  /// - Returns: the file to be closed in the end.
  package func open(waiting patience: Duration = .zero) throws(JournalError) -> Int32 {
    let lock = try made().lock
    let start = ContinuousClock.now
    while true {
      do throws(SystemError) {
        return try system.lock(lock)
      } catch {
        guard error.code == SystemError.isLocked else {
          throw .system(file: lock, call: error.call, code: error.code)
        }
        let left = patience - start.duration(to: .now)
        if left <= .zero { throw .locked(folder: path) }
        // No other thread wakes it.
        _ = Parker().wait(atMost: min(left, .milliseconds(10)))
      }
    }
  }

  /// The folder as it is, with its path from the root and without links. Nothing is made.
  func found() throws(JournalError) -> JournalFolder {
    let resolved = try call(path) { (system) throws(SystemError) in
      if path.utf8.contains(0) { throw SystemError("realpath", SystemError.invalid) }
      return try system.resolve(path)
    }
    return JournalFolder(path: resolved, system: system)
  }

  /// Reads the folder beside a writer that is not kept out: what cannot be read is read again, if files have come or
  /// gone since.
  func whileUnchanged<Result>(_ read: () throws(JournalError) -> Result) throws(JournalError) -> Result {
    var before = try listing()
    for _ in 0..<Self.mostRereads {
      do throws(JournalError) {
        return try read()
      } catch {
        let now = try listing()
        if now == before { throw error }
        before = now
      }
    }
    return try read()
  }

  /// A writer makes and deletes files at its snapshots only, so one more reading is nearly always enough.
  private static var mostRereads: Int { 10 }

  /// Whether there is neither an event nor a snapshot.
  package var isEmpty: Bool {
    get throws(JournalError) {
      let listing = try listing()
      return listing.segments.isEmpty && listing.snapshots.isEmpty
    }
  }

  /// The files that are there now.
  func listing() throws(JournalError) -> FolderListing {
    FolderListing(try call(path) { (system) throws(SystemError) in try system.list(path) })
  }

  /// Removes a file. When this returns, its name is gone from the medium.
  func remove(_ file: String) throws(JournalError) {
    try call(file) { (system) throws(SystemError) in
      try system.remove(file)
      try system.syncFolder(path)
    }
  }

  /// Says that the journal was closed behind an event. When this returns, that is on the medium.
  func noteClosing(behind event: Int) throws(JournalError) {
    let file = closing(behind: event)
    try call(file) { (system) throws(SystemError) in
      let descriptor = try system.create(file)
      do throws(SystemError) {
        try system.sync(descriptor)
      } catch {
        try? system.close(descriptor)
        throw error
      }
      // Nothing was written, so nothing can be lost.
      try? system.close(descriptor)
      try system.syncFolder(path)
    }
  }

  /// Replaces a file, or makes it, as a whole or not at all.
  func replace(_ file: String, with bytes: [UInt8]) throws(JournalError) {
    try system.replace(file) { (write) throws(JournalError) in try write(bytes) }
  }
}
