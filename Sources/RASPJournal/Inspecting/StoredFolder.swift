/// The files of a folder of a journal, or of a log with its partitions, in the order in which they belong together.
package struct StoredFolder: Sendable {
  /// What is wrong, in the file that it was found in.
  package struct Problem: Sendable {
    package let path: String
    package let reason: String
    /// Of a file that could not be opened.
    package var failure: JournalError?
  }

  /// The path of the folder of the journal or of the partition.
  package let path: String
  /// The files that could be opened: segments by their first events, then snapshots.
  package private(set) var files: [StoredFile] = []
  /// The files that could not be opened.
  package private(set) var problems: [Problem] = []
  /// The event behind which the journal was closed last; 0 if it never was, or is no journal.
  private var closed = 0
  /// `nil` for a single file.
  let folder: JournalFolder?

  /// Finds the folders at a path: one of a journal, or one for each partition of a log.
  ///
  /// - Returns: nothing if there are neither.
  package static func all(at path: String) throws(JournalError) -> [StoredFolder] {
    try all(at: path, on: POSIXFileSystem())
  }

  static func all(at path: String, on system: any FileSystem) throws(JournalError) -> [StoredFolder] {
    let root = JournalFolder(path: path, system: system)
    let names = try root.call(path) { (system) throws(SystemError) in try system.list(path) }
    let partitions = names.compactMap { name in JournalFolder.partition(in: name).map { (name, $0.index) } }
    guard partitions.isEmpty else {
      var folders: [StoredFolder] = []
      for (name, _) in partitions.sorted(by: { $0.1 < $1.1 }) {
        folders.append(try StoredFolder(JournalFolder(path: "\(path)/\(name)", system: system)))
      }
      return folders
    }
    let folder = try StoredFolder(root)
    return folder.files.isEmpty && folder.problems.isEmpty ? [] : [folder]
  }

  /// The last part of the path: of a partition, its name in the log.
  var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// Takes one file for itself: a recording, or a copy of a file of a journal.
  package init(_ file: StoredFile) {
    path = file.path
    files = [file]
    folder = nil
  }

  private init(_ folder: JournalFolder) throws(JournalError) {
    path = folder.path
    self.folder = folder
    let listing = try folder.listing()
    closed = listing.closed
    for file in listing.segments.map(folder.segment) + listing.snapshots.map(folder.snapshot) {
      do throws(JournalError) {
        files.append(try StoredFile(file, on: folder.system))
      } catch {
        problems.append(Problem(path: file, reason: "\(error)", failure: error))
      }
    }
  }

  /// What was found when everything was read.
  package struct Verdict: Sendable {
    package fileprivate(set) var problems: [Problem] = []
    /// Whether the journal was closed behind its last event: then nothing was lost. `nil` for a single file.
    package fileprivate(set) var isClosed: Bool?
  }

  /// Reads everything, and compares all checksums and how the segments follow each other.
  ///
  /// - Parameter visit: takes each file when it has been read.
  /// - Returns: what is wrong. The newest segment of a journal that is open, or was killed, has no end, which is
  ///   nothing wrong.
  package func verify(_ visit: (StoredFile, StoredFile.Summary) -> Void = { _, _ in }) -> Verdict {
    var problems = problems
    var previous: (file: StoredFile, summary: StoredFile.Summary)?
    let newest = files.last { $0.content == .segment }?.path
    for file in files {
      let summary = file.read()
      visit(file, summary)
      if let failure = summary.failure { problems.append(Problem(path: file.path, reason: "\(failure)")) }
      guard file.content == .segment else {
        if summary.failure == nil, !summary.isSealed || summary.states == 0 {
          problems.append(Problem(path: file.path, reason: "it is no whole \(file.content.rawValue)"))
        }
        continue
      }
      if let previous, let reason = file.breakBehind(previous.file, previous.summary) {
        problems.append(Problem(path: file.path, reason: reason))
      }
      if summary.failure == nil, !summary.isSealed, file.path != newest {
        problems.append(Problem(path: file.path, reason: "it has no end, and is not the newest segment"))
      }
      previous = (file, summary)
    }
    guard folder != nil else { return Verdict(problems: problems) }
    let last = previous.map { $0.summary.nextEvent - 1 } ?? 0
    let hasEnd = previous.map { $0.summary.isSealed || $0.file.firstEvent > closed } ?? true
    if closed > last || !hasEnd {
      let reason = "the journal was closed behind event \(closed), so this is a copy that is too short"
      problems.append(Problem(path: previous?.file.path ?? path, reason: reason))
    }
    return Verdict(problems: problems, isClosed: closed > 0 && closed == last && hasEnd)
  }
}
