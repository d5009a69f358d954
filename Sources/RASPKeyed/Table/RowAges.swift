/// A place in the list of rows by age. A row is one, and a look at the time is another.
///
/// Safe to share: as a ``KeyedRow``; the neighbours belong to the owner of the shard's queue.
@usableFromInline
class RowAge: @unchecked Sendable {
  // A neighbour is not retained: a row is taken out before the store gives it up, and the list keeps the other places.
  @exclusivity(unchecked) fileprivate final var older: Unmanaged<RowAge>?
  /// `nil` if it is not in the list.
  @exclusivity(unchecked) fileprivate final var newer: Unmanaged<RowAge>?

  @usableFromInline
  init() {}
}

/// The rows of a shard that may be given up, by age: the links of the list are properties of the rows. An event moves
/// its row to the new end, and the row that is given up first is at the old one. Nothing is ever walked through or
/// sorted.
///
/// ```
///   ends ⇄ "b" ⇄ look ⇄ "a" ⇄ "c" ⇄ look ⇄ ends        "d" is not in it: it has subscribers of its own
/// ```
///
/// The list is a circle through `ends`. A look at the time is a place in it: what is older than the place had no event
/// since that time.
///
/// It belongs to the owner of the shard's queue, and does not depend on the types of keys and rows.
@usableFromInline
struct RowAges: ~Copyable {
  private let rule: RowEviction
  /// Its newer neighbour is the oldest row, and its older one the newest row.
  private let ends = RowAge()
  /// The number of rows in the list. Looks are made by rules that do not ask for it.
  private var count = 0
  /// The newest looks, the newest last. The times are those at which the looks were folded, so no event before a look
  /// was folded later. About ten lie within the time of the rule.
  private var looks: [(place: RowAge, time: Duration)] = []

  init(_ rule: RowEviction) {
    self.rule = rule
    ends.older = .passUnretained(ends)
    ends.newer = .passUnretained(ends)
  }

  /// Makes a row the newest one that may go: it has had an event, or its last subscriber has left it.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  mutating func renew(_ row: RowAge) {
    leave(row)
    row.older = ends.older
    row.newer = .passUnretained(ends)
    ends.older?._withUnsafeGuaranteedRef { $0.newer = .passUnretained(row) }
    ends.older = .passUnretained(row)
    count += 1
  }

  /// Takes a row out that has gone, or that may not go.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  mutating func leave(_ row: RowAge) {
    guard let newer = row.newer else { return }
    newer._withUnsafeGuaranteedRef { $0.older = row.older }
    row.older?._withUnsafeGuaranteedRef { $0.newer = newer }
    row.newer = nil
    count -= 1
  }

  /// The next row to be given up because there are too many that may go; `nil` if there is none.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  func beyondLimit() -> RowAge? {
    guard let limit = rule.limit, count > limit else { return nil }
    return ends.newer?.takeUnretainedValue()
  }

  /// Notes a look at the time, about once in each period.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - asked: the time when the look was put in line. What came later waits behind it and is not known, so a row that
  ///     was silent until then has been silent for as long as is known.
  /// - Returns: the last look that is long enough ago; `nil` if none is.
  @usableFromInline
  mutating func look(at now: Duration, askedAt asked: Duration) -> RowAge? {
    guard let idleTime = rule.idleTime else { return nil }
    let place = RowAge()
    renew(place)
    looks.append((place, now))
    guard let last = looks.lastIndex(where: { asked - $0.time >= idleTime }) else { return nil }
    for look in looks.prefix(last) { leave(look.place) }
    looks.removeFirst(last)
    return looks[0].place
  }

  /// The row that has been idle for the longest time, if it had no event since a look.
  @usableFromInline
  func idle(since look: RowAge) -> RowAge? {
    let oldest = ends.newer?.takeUnretainedValue()
    return oldest === look ? nil : oldest
  }
}
