/// All ways to choose, one after the other, each told by the numbers that were chosen.
package struct AllChoices {
  private var numbers: [(chosen: Int, of: Int)] = []
  private var position = 0
  package private(set) var hasEnded = false

  package init() {}

  /// Returns the next number of this way.
  package mutating func choose(below count: Int) -> Int {
    if position == numbers.count { numbers.append((0, count)) }
    position += 1
    return numbers[position - 1].chosen
  }

  /// Goes on to the next way.
  package mutating func advance() {
    numbers.removeSubrange(position...)
    position = 0
    while let last = numbers.popLast() {
      if last.chosen + 1 < last.of {
        numbers.append((last.chosen + 1, last.of))
        return
      }
    }
    hasEnded = true
  }
}
