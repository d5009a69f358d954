/// A ``Keyed`` collection whose rows have an order that the state decides: the order in which they came, unless they are
/// moved.
///
///     struct Checklist: AggregateState {
///       var items: OrderedKeyed<ItemID, Item> = [:]
///
///       mutating func apply(_ event: ChecklistEvent) {
///         switch event {
///         case .added(let item): items[item.id] = item                  // behind all others
///         case .checked(let id): items[id]?.isChecked = true
///         case .moved(let id, let index): items.move(id, to: index)
///         }
///       }
///     }
///
///     checklist.select(\.items.keys)                                     // speaks when the list gets another order
///     checklist.select(\.items, key: id)                                 // speaks when this item changes
///
/// - Complexity: to read or to change a row is O(1), and so is to put one in behind all others. To move or to remove one
///   is O(log rows), beside one move of the memory of the keys behind it, which is what it takes to keep ``keys`` an array. The
///   first time, and the first time after ``sort(by:)``, it is O(rows).
public struct OrderedKeyed<Key: Hashable & Sendable, Row: Sendable>: Sendable {
  @usableFromInline var rows: Keyed<Key, Row>

  /// The keys, in the order of the rows.
  @usableFromInline var order: [Key]

  /// Where the keys are in `order`; `nil` until a row is moved or removed, because a collection that only grows needs none.
  @usableFromInline var places: KeyPlaces<Key>?

  /// Makes a collection without rows.
  @inlinable
  public init() {
    rows = Keyed()
    order = []
    places = nil
  }

  /// Makes a collection of rows, in their order. If a key stands there twice, the last row counts, at the first place.
  @inlinable
  public init(_ rows: some Sequence<(key: Key, value: Row)>) {
    self.init()
    for (key, row) in rows { self[key] = row }
  }

  /// The keys, in the order of the rows.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var keys: [Key] { order }

  /// The row of a key; `nil` if there is none. A new row comes behind all others. Setting `nil` removes the row.
  ///
  /// - Complexity: O(1); to remove a row as ``removeValue(forKey:)``.
  @inlinable
  public subscript(key: Key) -> Row? {
    get { rows[key] }
    _modify {
      defer { keepOrder(of: key) }
      if _isPOD(Row.self) {
        // As in `Keyed`, without its coroutine.
        let index = rows.rows.index(forKey: key)
        var row = index.map { rows.rows.values[$0] }
        defer { rows.put(row, of: key, at: index) }
        yield &row
      } else {
        yield &rows[key]
      }
    }
    set {
      rows[key] = newValue
      keepOrder(of: key)
    }
  }

  /// Removes a row.
  ///
  /// - Returns: the row; `nil` if there was none.
  /// - Complexity: O(log rows), beside one move of the memory of the keys behind it.
  @inlinable
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Row? {
    guard let row = rows.removeValue(forKey: key) else { return nil }
    keepOrder(of: key)
    return row
  }

  /// Removes all rows.
  ///
  /// - Complexity: O(rows).
  @inlinable
  public mutating func removeAll() {
    rows.removeAll()
    order = []
    places = nil
  }

  /// Moves a row to an index. An index that is out of bounds counts as the nearest one; a row that is not there is not
  /// moved.
  ///
  /// - Complexity: O(log rows) amortised, beside one move of the memory of the keys between the two places.
  @inlinable
  public mutating func move(_ key: Key, to index: Int) {
    if places == nil { places = KeyPlaces(order) }
    guard let old = places?.index(of: key) else { return }
    let new = Swift.min(Swift.max(0, index), order.count - 1)
    if old == new { return }
    order.moveElement(from: old, to: new)
    places?.move(from: old, to: new, order)
  }

  /// Sorts the rows. Rows that count as equal stay in their order.
  ///
  /// - Complexity: O(n log n).
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    order = try sorted(by: areInIncreasingOrder).map { $0.key }
    places = nil
  }

  /// Puts a new key behind all others, and takes out one whose row has gone. Their numbers tell whether that has happened: no
  /// row needs to be looked for.
  @inlinable
  mutating func keepOrder(of key: Key) {
    if rows.count > order.count {
      places?.append(key)
      order.append(key)
    } else if rows.count < order.count {
      takeOut(key)
    }
  }

  @inlinable
  @inline(never)
  mutating func takeOut(_ key: Key) {
    if places == nil { places = KeyPlaces(order) }
    guard let index = places?.remove(key) else { fatalError("An ordered collection has lost the place of a key.") }
    order.remove(at: index)
  }
}

extension OrderedKeyed: RandomAccessCollection {
  /// A row and its key.
  public typealias Element = (key: Key, value: Row)

  /// The position of the first row, which is zero.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position behind the last row, which is the number of rows.
  @inlinable
  public var endIndex: Int { order.count }

  /// The row at a position, and its key.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(position: Int) -> Element {
    let key = order[position]
    guard let row = rows[key] else { fatalError("An ordered collection has a key without a row.") }
    return (key, row)
  }
}

extension OrderedKeyed: RowCollection {
  /// A number that stands for the content.
  @inlinable
  public var contentStamp: UInt64 { rows.contentStamp }

  /// The keys of the rows that have changed since the content with a stamp; `nil` if any row may have changed.
  @inlinable
  public func changedKeys(since stamp: UInt64) -> [Key]? { rows.changedKeys(since: stamp) }
}

extension OrderedKeyed: ExpressibleByDictionaryLiteral {
  /// Makes a collection of these rows, in this order.
  @inlinable
  public init(dictionaryLiteral rows: (Key, Row)...) {
    self.init(rows.lazy.map { (key: $0, value: $1) })
  }
}

extension OrderedKeyed: Equatable where Row: Equatable {
  /// Compares the rows and their order.
  @inlinable
  public static func == (left: OrderedKeyed, right: OrderedKeyed) -> Bool {
    left.order == right.order && left.rows == right.rows
  }
}

extension OrderedKeyed: Hashable where Row: Hashable {
  /// Hashes the rows and their order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(order)
    hasher.combine(rows)
  }
}

extension OrderedKeyed: Encodable where Key: Encodable, Row: Encodable {
  /// Encodes each key and the row behind it, one after the other, because a dictionary in a file has no order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for (key, row) in self {
      try container.encode(key)
      try container.encode(row)
    }
  }
}

extension OrderedKeyed: Decodable where Key: Decodable, Row: Decodable {
  /// Decodes keys and rows, each row behind its key.
  ///
  /// - Errors: throws `DecodingError.dataCorrupted` if a key has no row, or stands there twice.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let key = try container.decode(Key.self)
      guard !container.isAtEnd else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "The last key has no row.")
      }
      guard self[key] == nil else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "A key stands there twice.")
      }
      self[key] = try container.decode(Row.self)
    }
  }
}

extension OrderedKeyed: CustomStringConvertible {
  /// The rows in their order, as a dictionary describes itself.
  public var description: String {
    isEmpty
      ? "[:]"
      : "[" + map { "\(String(reflecting: $0.key)): \(String(reflecting: $0.value))" }.joined(separator: ", ") + "]"
  }
}
