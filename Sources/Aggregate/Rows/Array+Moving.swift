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
