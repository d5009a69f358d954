/// What stands in a ``SummaryQueue``: one value, or some values of one time.
@usableFromInline
protocol SummarizedEntry<Value>: Sendable, Hashable {
  associatedtype Value: BinaryFloatingPoint & Sendable

  /// The instant from which the age of the entry is counted.
  var instant: Duration { get }

  /// The number of values.
  var count: Int { get }

  var summary: ValueSummary<Value> { get }
}

/// The least, the greatest and the sum of some values. Of none, it is what changes no other summary.
@usableFromInline
struct ValueSummary<Value: BinaryFloatingPoint & Sendable>: Sendable, Hashable {
  @usableFromInline var min: Value
  @usableFromInline var max: Value
  @usableFromInline var sum: Value

  @inlinable
  init() {
    min = Value.infinity
    max = -Value.infinity
    sum = Value.zero
  }

  @inlinable
  init(_ value: Value) {
    min = value
    max = value
    sum = value
  }

  @inlinable
  mutating func add(_ other: ValueSummary) {
    min = Swift.min(min, other.min)
    max = Swift.max(max, other.max)
    sum += other.sum
  }
}

/// A first-in, first-out queue of entries that knows the summary of all of them.
///
/// Two stacks make the queue. Each entry of one knows the summary of itself and all that are newer in its stack, and of
/// the other stack there is one summary. So nothing is ever subtracted from a sum, and no error of rounding stays.
///
/// ```
///   older                                          newer
///   leaving: [ 3 │ 2 │ 1 ]  summaries ──▶   entered: [ 4, 5, 6 ]  one summary
///          (the top is at `remaining`)
/// ```
///
/// A copy of the queue shares both. What leaves only lowers a number, and what enters changes one piece.
@usableFromInline
struct SummaryQueue<Entry: SummarizedEntry>: Sendable {
  @usableFromInline typealias Summary = ValueSummary<Entry.Value>

  @usableFromInline var leaving: ContiguousArray<(entry: Entry, summary: Summary)>
  /// The number of those that are still in the stack. Above it are some that have left.
  @usableFromInline var remaining: Int
  @usableFromInline var entered: PiecedStack<Entry>
  @usableFromInline var enteredSummary: Summary

  @inlinable
  init() {
    leaving = []
    remaining = 0
    entered = PiecedStack()
    enteredSummary = Summary()
  }

  /// The number of entries.
  @inlinable
  var count: Int { remaining + entered.count }

  @inlinable
  var isEmpty: Bool { remaining == 0 && entered.isEmpty }

  @inlinable
  var oldest: Entry? { remaining > 0 ? leaving[remaining - 1].entry : entered.first }

  @inlinable
  var newest: Entry? { entered.last ?? (remaining > 0 ? leaving[0].entry : nil) }

  /// The summary of all entries.
  @inlinable
  var summary: Summary {
    guard remaining > 0 else { return enteredSummary }
    var all = leaving[remaining - 1].summary
    all.add(enteredSummary)
    return all
  }

  /// The entries, the oldest first.
  @usableFromInline var entries: [Entry] { leaving[..<remaining].reversed().map { $0.entry } + entered.elements }

  @inlinable
  mutating func append(_ entry: Entry) {
    entered.append(entry)
    enteredSummary.add(entry.summary)
  }

  @inlinable
  mutating func removeOldest() {
    if remaining == 0 { turnOver() }
    assert(remaining > 0, "An entry was to leave an empty queue.")
    remaining -= 1
  }

  /// Makes what has entered the stack of what leaves.
  @inlinable
  @inline(never)
  mutating func turnOver() {
    leaving.removeAll(keepingCapacity: true)
    leaving.reserveCapacity(entered.count)
    var summary = Summary()
    while let entry = entered.popLast() {
      summary.add(entry.summary)
      leaving.append((entry, summary))
    }
    remaining = leaving.count
    enteredSummary = Summary()
  }
}
