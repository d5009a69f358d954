/// Items of which the one on top comes before all others, by an order that each call is given.
///
/// ```
///         2             the items below 2 come after it, in any order among themselves
///       /   \
///      5     3          items  [ 2  5  3  9  6 ]
///     / \
///    9   6
/// ```
///
/// Invariant: no item comes before the one above it, which is at half its index.
@usableFromInline
struct RankedHeap<Item: Sendable>: Sendable {
  @usableFromInline var items: [Item] = []

  @inlinable
  init(room: Int) {
    items.reserveCapacity(room)
  }

  @inlinable var isEmpty: Bool { items.isEmpty }

  @inlinable var top: Item { items[0] }

  /// - Complexity: O(log n).
  @inlinable
  @inline(__always)
  mutating func insert(_ item: Item, by precedes: (Item, Item) -> Bool) {
    items.append(item)
    items.withUnsafeMutableBufferPointer { items in
      var index = items.count - 1
      while index > 0, precedes(item, items[(index - 1) / 2]) {
        items[index] = items[(index - 1) / 2]
        index = (index - 1) / 2
      }
      items[index] = item
    }
  }

  /// Puts an item in the place of the one on top.
  ///
  /// - Complexity: O(log n).
  @inlinable
  @inline(__always)
  mutating func replaceTop(with item: Item, by precedes: (Item, Item) -> Bool) {
    items.withUnsafeMutableBufferPointer { items in
      var index = 0
      while true {
        var child = 2 * index + 1
        guard child < items.count else { break }
        if child + 1 < items.count, precedes(items[child + 1], items[child]) { child += 1 }
        guard precedes(items[child], item) else { break }
        items[index] = items[child]
        index = child
      }
      items[index] = item
    }
  }

  /// Takes out the item on top.
  ///
  /// - Complexity: O(log n).
  @inlinable
  @inline(__always)
  mutating func removeTop(by precedes: (Item, Item) -> Bool) {
    let last = items.removeLast()
    if !items.isEmpty { replaceTop(with: last, by: precedes) }
  }
}
