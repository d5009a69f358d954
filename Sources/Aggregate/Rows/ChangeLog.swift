import Synchronization

/// The keys that were changed last in a collection with keys, so that a reader who knows an earlier state of it looks at
/// the changed rows only.
///
/// ```
///   entries   (7, "a")  (9, "b")  (12, "a")        a stamp and a key for each change, the newest last
///                           ▲
///             a reader who knows stamp 9 looks at "a"; one who knows stamp 8 or 3 looks at everything
/// ```
///
/// No stamp is ever given twice in a process, so a stamp stands for one content: if it is in the log, then what came
/// behind it in the log is all that has changed since. Copies that were changed in different ways do not know each
/// other's stamps.
///
/// Invariants: stamps rise along the log; the last one, or `start` in an empty log, is the stamp of the present content.
struct ChangeLog<Key: Hashable & Sendable>: Sendable {
  private static var smallest: Int { 64 }

  private struct Entry: Sendable {
    let stamp: UInt64
    let key: Key
  }

  /// The stamp of the content before the first entry.
  private var start = Stamp.next()
  private var entries: [Entry] = []

  /// The stamp of the present content.
  var stamp: UInt64 { entries.last?.stamp ?? start }

  /// Notes the change of one row.
  ///
  /// - Parameter count: the number of rows. The log holds an eighth of it, and a few.
  /// - Complexity: O(1) amortised.
  mutating func note(_ key: Key, of count: Int) {
    let limit = max(Self.smallest, count / 8)
    if entries.count >= limit {
      let dropped = entries.count - limit / 2
      start = entries[dropped - 1].stamp
      entries.removeSubrange(..<dropped)
    }
    entries.append(Entry(stamp: Stamp.next(), key: key))
  }

  /// Notes that everything may have changed.
  mutating func noteAll() {
    entries = []
    start = Stamp.next()
  }

  /// The keys that have changed since a content, possibly several times; `nil` if that is not known.
  ///
  /// - Complexity: O(changes since then).
  func keys(since stamp: UInt64) -> [Key]? {
    var first = entries.endIndex
    while first > entries.startIndex, entries[first - 1].stamp > stamp { first -= 1 }
    let before = first == entries.startIndex ? start : entries[first - 1].stamp
    return before == stamp ? entries[first...].map(\.key) : nil
  }
}

/// Numbers that are never given twice in a process.
private enum Stamp {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
