/// A folder of a journal, and the names of the files in it.
///
/// ```
/// lock                           keeps a second writer out
/// 00000000000000000001.events    the segment that begins with event 1
/// 00000000000000010000.state     the state after event 10,000: a snapshot
/// 00000000000000010001.events    the newest segment: the only one that need not be complete
/// 00000000000000010007.closed    the journal was closed behind event 10,007: all segments up to there are complete
/// ```
package struct JournalFolder: Sendable {
  package let path: String
  package let system: any FileSystem

  package init(path: String, system: any FileSystem) {
    self.path = path
    self.system = system
  }

  var lock: String { "\(path)/lock" }

  func segment(from event: Int) -> String { "\(path)/\(Self.digits(event)).events" }

  func snapshot(after event: Int) -> String { "\(path)/\(Self.digits(event)).state" }

  /// The empty file that says that the journal was closed behind an event.
  func closing(behind event: Int) -> String { "\(path)/\(Self.digits(event)).closed" }

  /// Calls the file system, and adds the path to its error.
  package func call<Result>(
    _ file: String,
    _ body: (any FileSystem) throws(SystemError) -> Result
  ) throws(JournalError) -> Result {
    try JournalError.naming(file) { () throws(SystemError) in try body(system) }
  }

  /// The folder of a partition of a log whose folder this is.
  package func partition(_ index: Int, of count: Int) -> JournalFolder {
    JournalFolder(path: "\(path)/\(index)-of-\(count)", system: system)
  }

  /// What the name of a partition's folder says; `nil` if it is none.
  package static func partition(in name: String) -> (index: Int, count: Int)? {
    let parts = name.split(separator: "-")
    guard parts.count == 3, parts[1] == "of", let index = Int(parts[0]), let count = Int(parts[2]) else { return nil }
    return (index, count)
  }

  static func digits(_ number: Int) -> String {
    assert(number >= 0, "a file without a number")
    let text = String(number)
    return String(repeating: "0", count: max(0, 20 - text.utf8.count)) + text
  }
}

/// The files of a journal in the order of their numbers.
struct FolderListing: Equatable, Sendable {
  /// The first events of the segments.
  private(set) var segments: [Int] = []
  /// The events behind which there are snapshots.
  private(set) var snapshots: [Int] = []
  /// The events of those snapshots that cannot be used.
  private(set) var unusable: Set<Int> = []
  /// The events behind which the journal was closed: one, but for a moment.
  private(set) var closings: [Int] = []
  /// Files that were being written when the process ended.
  private(set) var leftovers: [String] = []

  init(_ names: [String]) {
    for original in names {
      // A volume that ignores case may have changed it.
      let name = original.lowercased()
      if let event = Self.number(name, ".events"), event > 0 {
        segments.append(event)
      } else if let event = Self.number(name, ".state") {
        snapshots.append(event)
      } else if let event = Self.number(name, ".closed") {
        closings.append(event)
      } else if name.hasPrefix(".rasp-"), name.hasSuffix(".tmp") {
        leftovers.append(original)
      }
    }
    segments.sort()
    snapshots.sort()
    closings.sort()
  }

  /// The newest event behind which the journal was closed; 0 if it never was. It has all events up to there, and each
  /// segment that begins with one of them has its end, also when the journal was opened again since.
  var closed: Int { closings.last ?? 0 }

  private static func number(_ name: String, _ end: String) -> Int? {
    guard name.hasSuffix(end) else { return nil }
    let digits = name.utf8.dropLast(end.utf8.count)
    guard digits.count == 20, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}

extension FolderListing {
  mutating func addSegment(from event: Int) {
    assert(segments.last.map { $0 < event } ?? true, "a segment that is not the newest one")
    segments.append(event)
  }
  /// Adds the newest snapshot, which may have replaced the one before.
  mutating func addSnapshot(after event: Int) {
    removeSnapshot(after: event)
    snapshots.append(event)
  }
  mutating func setClosing(behind event: Int) { closings = [event] }
  mutating func noteUnusable(snapshotAfter event: Int) {
    if snapshots.contains(event) { unusable.insert(event) }
  }
  mutating func removeSegment(from event: Int) { segments.removeAll { $0 == event } }
  mutating func removeSnapshot(after event: Int) {
    snapshots.removeAll { $0 == event }
    unusable.remove(event)
  }
}
