import RASPJournal

/// The folder of a log: a folder of the journal's files for each partition.
///
/// ```
/// lock       keeps other processes out
/// 0-of-2     partition 0: segments with its entries, and its record as a snapshot
/// 1-of-2     partition 1
/// ```
struct FileLogFolder: Sendable {
  let folder: JournalFolder
  let partitions: Int

  /// The name of the log: that of the folder.
  var name: String { Self.name(of: folder) }

  func partition(_ index: Int) -> JournalFolder {
    assert((0..<partitions).contains(index), "a partition that is not there")
    return JournalFolder(path: "\(folder.path)/\(index)-of-\(partitions)", system: folder.system)
  }

  /// The identity of an entry that was written.
  func identity(of offset: Int, in index: Int) throws(LogError) -> EntryIdentity {
    do throws(JournalError) {
      return EntryIdentity(try partition(index).mark(of: offset))
    } catch {
      switch error {
      // The writer has deleted it meanwhile.
      case .missing, .system(_, _, SystemError.notThere): return .unknown
      default: throw .files(log: name, reason: error)
      }
    }
  }

  /// Copies an entry that was written into a file of its own.
  func setAside(_ offset: Int, of index: Int, because reason: String) throws(LogError) {
    do throws(JournalError) {
      try partition(index).setAside(offset, because: reason)
    } catch {
      throw .files(log: name, reason: error)
    }
  }

  /// Looks how many partitions there are. All of them have the number in their names, so that it is known when one of
  /// them is there.
  ///
  /// - Parameter wanted: how many there must be; `nil` for those that are there, or one.
  init(_ folder: JournalFolder, partitions wanted: Int?) throws(LogError) {
    let name = Self.name(of: folder)
    let names: [String]
    do throws(JournalError) {
      names = try folder.call(folder.path) { (system) throws(SystemError) in try system.list(folder.path) }
    } catch {
      throw .files(log: name, reason: error)
    }
    let found = names.compactMap(Self.count).max()
    let partitions = max(1, wanted ?? found ?? 1)
    if let found, found != partitions {
      throw .partitionCount(log: name, found: found, wanted: partitions)
    }
    self.folder = folder
    self.partitions = partitions
  }

  private static func name(of folder: JournalFolder) -> String {
    folder.path.split(separator: "/").last.map(String.init) ?? folder.path
  }

  /// The number of partitions in the name of a partition's folder.
  private static func count(in name: String) -> Int? {
    let parts = name.split(separator: "-")
    guard parts.count == 3, parts[1] == "of", Int(parts[0]) != nil else { return nil }
    return Int(parts[2])
  }
}
