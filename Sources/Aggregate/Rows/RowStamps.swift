import Synchronization

/// Which rows of a collection with keys were changed last, so that a reader who knows an earlier state of it looks at
/// the changed rows only. A ``Keyed`` has one; see ``RowCollection/rowStamps``.
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
/// Invariants: stamps rise along the log; the last one, or `start` in an empty log, is the stamp of the present
/// content.
public struct RowStamps<Key: Hashable & Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let stamp: UInt64
    @usableFromInline let key: Key

    @inlinable
    init(stamp: UInt64, key: Key) {
      self.stamp = stamp
      self.key = key
    }
  }

  /// The stamp of the content before the first entry.
  @usableFromInline var start: UInt64
  @usableFromInline var entries: [Entry]

  /// The log of a new collection.
  @inlinable
  init() {
    start = nextStamp()
    entries = []
  }

  /// The stamp of the present content.
  @inlinable
  var stamp: UInt64 { entries.last?.stamp ?? start }

  /// Notes the change of one row.
  ///
  /// - Parameter count: the number of rows. The log holds an eighth of it, and a few.
  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func note(_ key: Key, of count: Int) {
    let limit = max(64, count / 8)
    if entries.count >= limit { forgetOldest(keeping: limit / 2) }
    entries.append(Entry(stamp: nextStamp(), key: key))
  }

  @inlinable
  @inline(never)
  mutating func forgetOldest(keeping kept: Int) {
    let dropped = entries.count - kept
    start = entries[dropped - 1].stamp
    entries.removeSubrange(..<dropped)
  }

  /// Notes that everything may have changed.
  @inlinable
  mutating func noteAll() {
    entries = []
    start = nextStamp()
  }

  /// The first of the entries that came after a content; `nil` if that is not known.
  ///
  /// - Complexity: O(changes since then).
  @inlinable
  func firstEntry(since stamp: UInt64) -> Int? {
    var first = entries.count
    while first > 0, entries[first - 1].stamp > stamp { first -= 1 }
    let before = first == 0 ? start : entries[first - 1].stamp
    return before == stamp ? first : nil
  }

  /// Calls `body` with each key that has changed since a content, possibly several times with one.
  ///
  /// - Returns: `false` if it is not known which have changed. Then `body` was not called.
  /// - Complexity: O(changes since then).
  @inlinable
  func forEachKey(since stamp: UInt64, _ body: (Key) -> Void) -> Bool {
    guard let first = firstEntry(since: stamp) else { return false }
    for index in first..<entries.count { body(entries[index].key) }
    return true
  }
}

private let lastStamp = Atomic<UInt64>(0)

/// A number that is never given twice in a process.
@usableFromInline
func nextStamp() -> UInt64 { lastStamp.add(1, ordering: .relaxed).newValue }
