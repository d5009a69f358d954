/// Where the keys of an ordered collection are in the array of its keys. To know it in an array from which keys are removed would
/// take numbering all keys behind each of them anew; so each key has a label, and labels only rise along the array.
///
/// ```
///   keys            "a"    "b"    "c"    "d"
///   labels           16     32     48     64        rising, so the place of a label is found by halving
///   labelOf          "a": 16, "b": 32, "c": 48, "d": 64
///
///   "d" is moved between "a" and "b":   16     24     32     48
/// ```
///
/// Where two labels have no number left between them, those around them are spread anew: as few as lie in a range of numbers that
/// is not too full. The larger the range, the emptier it has to be, so this is rare.
///
/// Invariants: labels rise; the label of the key at an index of the array is the one at that index.
@usableFromInline
struct KeyPlaces<Key: Hashable & Sendable>: Sendable {
  @usableFromInline var labels: [Int]
  @usableFromInline var labelOf: [Key: Int]

  /// The distance of two labels at the ends of the array.
  @inlinable
  static var step: Int { 1 << 24 }

  /// - Complexity: O(keys).
  @inlinable
  init(_ keys: [Key]) {
    labels = []
    labelOf = [:]
    labels.reserveCapacity(keys.count)
    labelOf.reserveCapacity(keys.count)
    for key in keys { append(key) }
  }

  /// - Complexity: O(log keys).
  @inlinable
  func index(of key: Key) -> Int? {
    labelOf[key].map { firstIndex(from: $0) }
  }

  /// Adds a key behind all others.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func append(_ key: Key) {
    let label = (labels.last ?? 0) + Self.step
    labels.append(label)
    labelOf[key] = label
  }

  /// Takes a key out.
  ///
  /// - Returns: the index at which it was.
  /// - Complexity: O(log keys), beside one move of memory.
  @inlinable
  mutating func remove(_ key: Key) -> Int? {
    guard let label = labelOf.removeValue(forKey: key) else { return nil }
    let index = firstIndex(from: label)
    labels.remove(at: index)
    return index
  }

  /// Follows a key that has been moved.
  ///
  /// - Parameter keys: the keys, in their new order.
  /// - Complexity: O(log keys) amortised, beside one move of memory.
  @inlinable
  mutating func move(from old: Int, to new: Int, _ keys: [Key]) {
    labels.moveElement(from: old, to: new)
    var before = new == 0 ? nil : labels[new - 1]
    var after = new == labels.count - 1 ? nil : labels[new + 1]
    if let left = before, let right = after, right - left < 2 {
      labels[new] = left
      spread(around: new, keys)
      (before, after) = (nil, nil)
      return
    }
    let label =
      switch (before, after) {
      case (let left?, let right?): left + (right - left) / 2
      case (let left?, nil): left + Self.step
      case (nil, let right?): right - Self.step
      case (nil, nil): 0
      }
    labels[new] = label
    labelOf[keys[new]] = label
  }

  /// Gives the labels around an index new numbers, so that none is there twice.
  @inlinable
  @inline(never)
  mutating func spread(around index: Int, _ keys: [Key]) {
    let label = labels[index]
    var bits = 1
    var room = 1.0
    while true {
      bits += 1
      room *= 1.5
      // The range of numbers that differ from the label in the lowest bits only.
      let lowest = label & -(1 << bits)
      let range = firstIndex(from: lowest)..<firstIndex(from: lowest + (1 << bits))
      guard Double(range.count) < room else { continue }
      let distance = (1 << bits) / (range.count + 1)
      for (offset, index) in range.enumerated() {
        labels[index] = lowest + (offset + 1) * distance
        labelOf[keys[index]] = labels[index]
      }
      return
    }
  }

  /// The first index whose label is not below a number.
  @inlinable
  func firstIndex(from label: Int) -> Int {
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
