import Streams

/// Keeps all rows in the order of a value, and reports the first ones.
@usableFromInline
struct RankingTracker<Key: Hashable & Sendable, State: AggregateState, Value: Comparable & Sendable>: RowTracker {
  @usableFromInline typealias Reference = RowReference<Key, State>
  @usableFromInline typealias Element = [RankedRow<Key, State, Value>]
  private typealias Entry = RankedList<Value, Reference>.Entry

  private let read: @Sendable (State) -> Value
  private var ranking: RankedList<Value, Reference>
  /// The entry of the row that is being changed, as it is in the ranking.
  private var old: Entry?

  @usableFromInline var runsUserCode: Bool { true }

  @usableFromInline
  init(
    first length: Int,
    descending isDescending: Bool,
    by read: @escaping @Sendable (State) -> Value,
    _ rows: borrowing RowTable<Key, State>
  ) {
    self.read = read
    var entries: [Entry] = []
    rows.forEach { entries.append(Self.entry(of: $0, read)) }
    ranking = RankedList(entries, descending: isDescending, window: length)
  }

  @usableFromInline
  mutating func willChange(_ row: Reference) {
    old = row.hasState ? Self.entry(of: row, read) : nil
  }

  @usableFromInline
  mutating func didChange(_ row: Reference) -> Element? {
    let old = old.take()
    let new = row.hasState ? Self.entry(of: row, read) : nil
    let isSeen =
      switch (old, new) {
      case (let old?, let new?): ranking.move(old, to: new.value)
      case (let old?, nil): ranking.remove(old)
      case (nil, let new?): ranking.insert(new)
      case (nil, nil): false
      }
    return isSeen ? window : nil
  }

  @usableFromInline
  mutating func forget() {
    old = nil
  }

  @usableFromInline
  func greet(_ rows: borrowing RowTable<Key, State>, _ send: (Element) -> Void) {
    send(window)
  }

  private var window: Element {
    ranking.window.compactMap { entry in
      entry.row.pointer.pointee.state.map {
        RankedRow(key: entry.row.pointer.pointee.key, state: $0, value: entry.value)
      }
    }
  }

  private static func entry(of row: Reference, _ read: (State) -> Value) -> Entry {
    Entry(
      value: row.stateAddress.assumingMemoryBound(to: State.self).read(read),
      number: row.pointer.pointee.number,
      row: row
    )
  }
}

/// Puts the rankings of several shards together.
enum Ranking {
  static func merged<Key, State, Value>(
    _ parts: [[RankedRow<Key, State, Value>]],
    first count: Int,
    descending isDescending: Bool
  ) -> [RankedRow<Key, State, Value>] {
    guard parts.count > 1 else { return parts.first ?? [] }
    let entries = parts.joined().enumerated().map { number, row in
      RankedList<Value, RankedRow<Key, State, Value>>.Entry(value: row.value, number: UInt64(number), row: row)
    }
    return RankedList(entries, descending: isDescending, window: count).window.map(\.row)
  }
}

/// A row in a ranking.
public struct RankedRow<Key: Hashable & Sendable, State: AggregateState, Value: Comparable & Sendable>: Sendable {
  /// The key of the row.
  public let key: Key

  /// The state of the row.
  public let state: State

  /// The value by which the row is ranked.
  public let value: Value
}

extension RankedRow: Equatable where State: Equatable {}

extension RankedRow: Hashable where State: Hashable, Value: Hashable {}
