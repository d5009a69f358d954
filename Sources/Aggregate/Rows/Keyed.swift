/// A dictionary for a state that holds many of a thing: it remembers which rows an `apply` has changed, so that an
/// event costs the selections of the rows it changes, and not those of all rows.
///
///     struct FleetState: AggregateState {
///       var boats: Keyed<BoatID, Boat> = [:]
///
///       mutating func apply(_ event: FleetEvent) {
///         switch event {
///         case .moved(let id, let position): boats[id]?.position = position
///         case .sold(let id): boats[id] = nil
///         }
///       }
///     }
///
///     let token = fleet.select(\.boats, key: id).subscribe { boat in … }   // nil while there is no such boat
///
/// It is a value like every dictionary: a snapshot of the state holds all rows as they were then. Two are equal if they
/// have equal rows. To have rows in an order of your own, keep an array of their keys beside it; if each event belongs
/// to one row, see `KeyedAggregator` of the module `RASPKeyed`, which copies nothing for a snapshot that is kept.
///
/// - Complexity: as the dictionary that it is. A change notes its key besides, in O(1). While a snapshot is alive, the
///   first change copies the dictionary.
public struct Keyed<Key: Hashable & Sendable, Row: Sendable>: Sendable {
  @usableFromInline var rows: [Key: Row]
  @usableFromInline var log: RowStamps<Key>

  /// Makes a collection without rows.
  @inlinable
  public init() {
    self.init([:])
  }

  /// Makes a collection of the rows of a dictionary.
  @inlinable
  public init(_ rows: [Key: Row]) {
    self.rows = rows
    log = RowStamps()
  }

  /// The row of a key; `nil` if there is none. Setting `nil` removes the row.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(key: Key) -> Row? {
    get { rows[key] }
    _modify {
      if _isPOD(Row.self) {
        // A row without references is copied out and in again, which is cheaper than the four coroutines inside each
        // other by which a dictionary lends an optional row: each of them allocates.
        let index = rows.index(forKey: key)
        var row = index.map { rows.values[$0] }
        defer { put(row, of: key, at: index) }
        yield &row
      } else {
        defer { log.note(key, of: rows.count) }
        yield &rows[key]
      }
    }
    set {
      log.note(key, of: rows.count)
      rows[key] = newValue
    }
  }

  /// Puts a row back to where it was, or takes it out if it is `nil`.
  ///
  /// - Parameter index: where it was; `nil` if there was none.
  @inlinable
  mutating func put(_ row: Row?, of key: Key, at index: Dictionary<Key, Row>.Index?) {
    switch (row, index) {
    case (let row?, let index?): rows.values[index] = row
    case (let row?, nil): rows[key] = row
    case (nil, let index?): rows.remove(at: index)
    case (nil, nil): break
    }
    log.note(key, of: rows.count)
  }

  /// The row of a key. A row that is not there is made when it is changed.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(key: Key, default row: @autoclosure () -> Row) -> Row {
    get { rows[key] ?? row() }
    _modify {
      defer { log.note(key, of: rows.count) }
      yield &rows[key, default: row()]
    }
  }

  /// Removes a row.
  ///
  /// - Returns: the row; `nil` if there was none.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Row? {
    guard let row = rows.removeValue(forKey: key) else { return nil }
    log.note(key, of: rows.count)
    return row
  }

  /// Removes all rows.
  ///
  /// - Complexity: O(rows).
  @inlinable
  public mutating func removeAll() {
    rows.removeAll()
    log.noteAll()
  }

  /// Puts many rows in at once, in the place of those that have the same keys.
  ///
  /// - Complexity: O(rows that are put in).
  @inlinable
  public mutating func merge(_ others: some Sequence<(key: Key, value: Row)>) {
    rows.merge(others.lazy.map { ($0.key, $0.value) }) { $1 }
    log.noteAll()
  }

  /// The rows as a dictionary.
  ///
  /// - Complexity: O(1). The storage is shared until one of the two changes.
  @inlinable
  public var dictionary: [Key: Row] { rows }

  /// The keys, in no particular order.
  @inlinable
  public var keys: Dictionary<Key, Row>.Keys { rows.keys }

  /// The rows without their keys, in no particular order.
  @inlinable
  public var values: Dictionary<Key, Row>.Values { rows.values }
}

extension Keyed: Collection {
  /// A row and its key.
  public typealias Element = (key: Key, value: Row)

  /// The position of the first row.
  @inlinable
  public var startIndex: Dictionary<Key, Row>.Index { rows.startIndex }

  /// The position behind the last row.
  @inlinable
  public var endIndex: Dictionary<Key, Row>.Index { rows.endIndex }

  /// The position behind another one.
  @inlinable
  public func index(after index: Dictionary<Key, Row>.Index) -> Dictionary<Key, Row>.Index { rows.index(after: index) }

  /// The row at a position, and its key.
  @inlinable
  public subscript(position: Dictionary<Key, Row>.Index) -> Element { rows[position] }

  /// The number of rows.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { rows.count }
}

extension Keyed: RowCollection {
  /// Which rows have changed.
  @inlinable
  public var rowStamps: RowStamps<Key> { log }
}

extension Keyed: ExpressibleByDictionaryLiteral {
  /// Makes a collection of these rows. If a key stands there twice, the last row counts.
  @inlinable
  public init(dictionaryLiteral rows: (Key, Row)...) {
    self.init(Dictionary(rows) { $1 })
  }
}

extension Keyed: Equatable where Row: Equatable {
  /// Compares the rows.
  ///
  /// - Complexity: O(changes), if one of the two is an earlier or a later content of the other and not too many rows
  ///   have changed between them; otherwise O(rows).
  @inlinable
  public static func == (left: Keyed, right: Keyed) -> Bool {
    if left.log.stamp == right.log.stamp { return true }
    guard left.count == right.count else { return false }
    return left.changesNothing(since: right) ?? right.changesNothing(since: left) ?? (left.rows == right.rows)
  }

  /// Returns whether the rows that have changed since an earlier content are equal to what they were then; `nil` if it
  /// is not known which have changed.
  @inlinable
  func changesNothing(since earlier: Keyed) -> Bool? {
    guard let first = log.firstEntry(since: earlier.log.stamp) else { return nil }
    return log.entries[first...].allSatisfy { rows[$0.key] == earlier.rows[$0.key] }
  }
}

extension Keyed: Hashable where Row: Hashable {
  /// Hashes the rows.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rows)
  }
}

extension Keyed: Encodable where Key: Encodable, Row: Encodable {
  /// Encodes the rows as a dictionary.
  public func encode(to encoder: any Encoder) throws {
    try rows.encode(to: encoder)
  }
}

extension Keyed: Decodable where Key: Decodable, Row: Decodable {
  /// Decodes the rows of a dictionary.
  public init(from decoder: any Decoder) throws {
    self.init(try Dictionary(from: decoder))
  }
}

extension Keyed: CustomStringConvertible {
  /// The rows, as a dictionary describes itself.
  public var description: String { rows.description }
}
