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
    return folder.partition(index, of: partitions)
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

  /// The record that was committed at an offset.
  func record(at offset: Int, of index: Int) throws(LogError) -> LogRecord {
    do throws(JournalError) {
      let record = try partition(index).snapshot(after: offset, coding: Coding<StoredRecord>.record(keepsRows: true))
      let revision = LogRevision(record.revision)
      return LogRecord(rows: record.rows, offset: offset, identity: record.identity, revision: revision)
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
    let found = names.compactMap(JournalFolder.partition(in:))
    let counts = Set(found.map(\.count))
    if let count = counts.max(), let least = counts.min(), count != least {
      let reason = "there are folders of \(least) partitions and of \(count). Take those out that are of another log"
      throw .refused(log: name, partition: nil, reason: "\(folder.path): \(reason).")
    }
    let partitions = wanted ?? counts.first ?? 1
    guard (1...Self.mostPartitions).contains(partitions) else {
      let reason = "a log has at least one partition and at most \(Self.mostPartitions), and not \(partitions)"
      throw .refused(log: name, partition: nil, reason: "\(folder.path): \(reason).")
    }
    if let count = counts.first, count != partitions {
      throw .partitionCount(log: name, found: count, wanted: partitions)
    }
    self.folder = folder
    self.partitions = partitions
    try checkIsWhole(Set(found.map(\.index)))
  }

  /// Refuses a log of which a partition's folder is missing. All are made before there is an entry in any of them, so a
  /// log that was being made when the process ended has none.
  private func checkIsWhole(_ found: Set<Int>) throws(LogError) {
    guard !found.isEmpty, let missing = (0..<partitions).first(where: { !found.contains($0) }) else { return }
    for index in found {
      let isEmpty: Bool
      do throws(JournalError) {
        isEmpty = try partition(index).isEmpty
      } catch {
        throw .files(log: name, reason: error)
      }
      if isEmpty { continue }
      let path = partition(missing).path
      let reason = "\(path): the folder of the partition is missing. Restore it from a copy of the log."
      throw .refused(log: name, partition: missing, reason: reason)
    }
  }

  private static func name(of folder: JournalFolder) -> String {
    folder.path.split(separator: "/").last.map(String.init) ?? folder.path
  }

  /// How many partitions a log has at most: each is a folder, and is opened with the log.
  private static var mostPartitions: Int { 1 << 16 }
}
