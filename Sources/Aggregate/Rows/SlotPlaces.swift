/// Where the rows of an ordered collection are in its order. To know it by numbers would take numbering all rows anew
/// behind each that is removed; so each row has a label, and labels only rise along the order. A row is known by its
/// slot.
///
/// ```
///   slots in their order      2      0      3      1
///   labels                   16     32     48     64        rising, so the place of a label is found by halving
///   labelOf                  32  64  16  48                 by slot
///
///   1 is moved between 2 and 0:   labels   16     24     32     48
/// ```
///
/// Where two labels have no number left between them, those around them are spread anew: as few as lie in a range of
/// numbers that is not too full. The larger the range, the emptier it has to be, so this is rare.
///
/// Invariants: labels rise; the label of the slot at an index of the order is the one at that index.
@usableFromInline
struct SlotPlaces: Sendable {
  // Of 64 bits, also where an `Int` has 32: labels are far apart.
  private(set) var labels: [Int64] = []
  private(set) var labelOf: [Int64] = []

  /// The distance of two labels at the ends of the order.
  private static var step: Int64 { 1 << 24 }

  /// - Parameter slots: the slots, in their order.
  /// - Complexity: O(slots).
  @usableFromInline
  init(_ slots: [Int]) {
    labels.reserveCapacity(slots.count)
    for slot in slots { append(slot) }
  }

  /// - Complexity: O(log slots).
  @usableFromInline
  func index(of slot: Int) -> Int { firstIndex(from: labelOf[slot]) }

  /// Adds a slot behind all others.
  ///
  /// - Complexity: O(1) amortised.
  @usableFromInline
  mutating func append(_ slot: Int) {
    let label = (labels.last ?? 0) + Self.step
    labels.append(label)
    while labelOf.count <= slot { labelOf.append(0) }
    labelOf[slot] = label
  }

  /// Takes a slot out.
  ///
  /// - Returns: the index at which it was.
  /// - Complexity: O(log slots), beside one move of memory.
  @usableFromInline
  mutating func remove(_ slot: Int) -> Int {
    let index = index(of: slot)
    labels.remove(at: index)
    return index
  }

  /// Follows a slot that has been moved.
  ///
  /// - Parameter slots: the slots, in their new order.
  /// - Complexity: O(log slots) amortised, beside one move of memory.
  @usableFromInline
  mutating func move(from old: Int, to new: Int, _ slots: [Int]) {
    labels.moveElement(from: old, to: new)
    let before = new == 0 ? nil : labels[new - 1]
    let after = new == labels.count - 1 ? nil : labels[new + 1]
    switch (before, after) {
    case (let before?, let after?) where after - before < 2:
      labels[new] = before
      return spread(around: new, slots)
    case (let before?, let after?): labels[new] = before + (after - before) / 2
    case (let before?, nil): labels[new] = before + Self.step
    case (nil, let after?): labels[new] = after - Self.step
    case (nil, nil): break
    }
    labelOf[slots[new]] = labels[new]
  }

  /// Gives the labels around an index new numbers, so that none is there twice.
  private mutating func spread(around index: Int, _ slots: [Int]) {
    let label = labels[index]
    var bits = 1
    var room = 1.0
    while true {
      bits += 1
      room *= 1.5
      // The numbers that differ from the label in the lowest bits only.
      let lowest = label & -(Int64(1) << bits)
      let range = firstIndex(from: lowest)..<firstIndex(from: lowest + (Int64(1) << bits))
      guard Double(range.count) < room else { continue }
      let distance = (Int64(1) << bits) / Int64(range.count + 1)
      for (offset, index) in range.enumerated() {
        labels[index] = lowest + Int64(offset + 1) * distance
        labelOf[slots[index]] = labels[index]
      }
      return
    }
  }

  /// The first index whose label is not below a number.
  private func firstIndex(from label: Int64) -> Int {
    var (low, high) = (0, labels.count)
    while low < high {
      let middle = (low + high) / 2
      if labels[middle] < label { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Array {
  /// Moves an element to another index. Those between the two places move by one.
  @inlinable
  mutating func moveElement(from old: Int, to new: Int) {
    withUnsafeMutableBufferPointer { elements in
      guard let start = elements.baseAddress, old != new else { return }
      precondition(elements.indices.contains(old) && elements.indices.contains(new), "There is no such element.")
      // Each place is taken out of before it is put into, and all are filled at the end.
      let element = (start + old).move()
      if old < new {
        (start + old).moveInitialize(from: start + old + 1, count: new - old)
      } else {
        (start + new + 1).moveInitialize(from: start + new, count: old - new)
      }
      (start + new).initialize(to: element)
    }
  }
}
