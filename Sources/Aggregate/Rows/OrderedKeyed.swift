/// A ``Keyed`` collection whose rows have an order that the state decides: the order in which they came, unless they
/// are moved.
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
/// - Complexity: to read or to change a row is O(1), and so is to put one in behind all others. To move or to remove
///   one is O(log rows), beside one move of the memory of the keys behind it, which is what it takes to keep ``keys``
///   an array. The first time, and the first time after ``sort(by:)``, it is O(rows).
public struct OrderedKeyed<Key: Hashable & Sendable, Row: Sendable>: Sendable {
  @usableFromInline var log: RowStamps<Key>

  /// The keys, in the order of the rows.
  @usableFromInline var order: [Key]

  /// The slots of the rows, in the same order.
  @usableFromInline var slots: [Int]

  @usableFromInline var slotOf: [Key: Int]

  /// The rows by slot: a row stays in its slot wherever it is moved to. `nil` in a slot that is free.
  @usableFromInline var rows: ContiguousArray<Row?>

  @usableFromInline var freeSlots: [Int]

  /// Where the slots are in `slots`; `nil` until a row is moved or removed, because a collection that only grows needs
  /// none.
  @usableFromInline var places: SlotPlaces?

  /// Makes a collection without rows.
  @inlinable
  public init() {
    log = RowStamps()
    order = []
    slots = []
    slotOf = [:]
    rows = []
    freeSlots = []
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
    get { slotOf[key].flatMap { rows[$0] } }
    _modify {
      if let slot = slotOf[key] {
        defer { noteChange(of: key, in: slot) }
        yield &rows[slot]
      } else {
        var row: Row?
        defer { self[key] = row }
        yield &row
      }
    }
    set {
      if let newValue {
        if let slot = slotOf[key] { rows[slot] = newValue } else { insert(newValue, for: key) }
      } else if let slot = slotOf.removeValue(forKey: key) {
        takeOut(slot)
      }
      log.note(key, of: order.count)
    }
  }

  /// Removes a row.
  ///
  /// - Returns: the row; `nil` if there was none.
  /// - Complexity: O(log rows), beside one move of the memory of the keys behind it.
  @inlinable
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Row? {
    guard let slot = slotOf.removeValue(forKey: key) else { return nil }
    let row = rows[slot]
    takeOut(slot)
    log.note(key, of: order.count)
    return row
  }

  /// Removes all rows.
  ///
  /// - Complexity: O(rows).
  @inlinable
  public mutating func removeAll() {
    self = OrderedKeyed()
  }

  /// Moves a row to an index. An index that is out of bounds counts as the nearest one; a row that is not there is not
  /// moved.
  ///
  /// - Complexity: O(log rows) amortised, beside one move of the memory of the keys between the two places.
  @inlinable
  public mutating func move(_ key: Key, to index: Int) {
    guard let slot = slotOf[key] else { return }
    if places == nil { places = SlotPlaces(slots) }
    guard let old = places?.index(of: slot) else { return }
    let new = Swift.min(Swift.max(0, index), order.count - 1)
    if old == new { return }
    order.moveElement(from: old, to: new)
    slots.moveElement(from: old, to: new)
    places?.move(from: old, to: new, slots)
  }

  /// Sorts the rows. Rows that count as equal stay in their order.
  ///
  /// - Complexity: O(n log n).
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    let positions = try indices.sorted { try areInIncreasingOrder(self[$0], self[$1]) }
    order = positions.map { order[$0] }
    slots = positions.map { slots[$0] }
    places = nil
  }

  @inlinable
  mutating func insert(_ row: Row, for key: Key) {
    let slot = freeSlots.popLast() ?? rows.count
    if slot < rows.count { rows[slot] = row } else { rows.append(row) }
    slotOf[key] = slot
    order.append(key)
    slots.append(slot)
    places?.append(slot)
  }

  @inlinable
  mutating func noteChange(of key: Key, in slot: Int) {
    if case nil = rows[slot] {
      slotOf[key] = nil
      takeOut(slot)
    }
    log.note(key, of: order.count)
  }

  /// Takes out what belongs to a slot whose key has gone.
  @inlinable
  mutating func takeOut(_ slot: Int) {
    if places == nil { places = SlotPlaces(slots) }
    guard let index = places?.remove(slot) else { fatalError("An ordered collection has lost the place of a row.") }
    order.remove(at: index)
    slots.remove(at: index)
    rows[slot] = nil
    freeSlots.append(slot)
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
    guard let row = rows[slots[position]] else { fatalError("An ordered collection has a key without a row.") }
    return (order[position], row)
  }
}

extension OrderedKeyed: RowCollection {
  /// Which rows have changed.
  @inlinable
  public var rowStamps: RowStamps<Key> { log }
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
  ///
  /// - Complexity: O(rows): the keys are compared, and, as those of a ``Keyed``, the rows that have changed.
  @inlinable
  public static func == (left: OrderedKeyed, right: OrderedKeyed) -> Bool {
    guard left.order == right.order else { return false }
    if left.log.stamp == right.log.stamp { return true }
    return left.changesNothing(since: right) ?? right.changesNothing(since: left) ?? left.elementsEqual(right, by: ==)
  }

  /// Returns whether the rows that have changed since an earlier content are equal to what they were then; `nil` if it
  /// is not known which have changed.
  @inlinable
  func changesNothing(since earlier: OrderedKeyed) -> Bool? {
    guard let first = log.firstEntry(since: earlier.log.stamp) else { return nil }
    return log.entries[first...].allSatisfy { self[$0.key] == earlier[$0.key] }
  }
}

extension OrderedKeyed: Hashable where Row: Hashable {
  /// Hashes the rows and their order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for (key, row) in self {
      hasher.combine(key)
      hasher.combine(row)
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
