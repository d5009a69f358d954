import Synchronization

/// The numbers of lanes, each given once in a process, so that an old cause never names something new.
package enum CauseLanes {
  private static let last = Atomic<Int>(0)

  /// Returns a new number. When there are none left it is 0, which makes the causes of the lane unknown.
  package static func next() -> Int {
    let number = last.add(1, ordering: .relaxed).newValue
    return number < 1 << 16 ? number : 0
  }
}
