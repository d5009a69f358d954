import Streams
import Synchronization

/// The numbers of lanes, each given once in a process, so that an old cause never names something new.
package struct CauseLanes: ~Copyable, Sendable {
  private static let shared = CauseLanes(after: 0)

  private let last: Atomic<Int64>

  /// - Parameter last: the number that was given last.
  package init(after last: Int64) {
    self.last = Atomic(last)
  }

  /// Returns a new number of the process.
  package static func next() -> Int { shared.next() }

  /// Returns a new number. When there are none left it is 0, which makes the causes of the lane unknown.
  package func next() -> Int {
    Cause(lane: Int(clamping: last.add(1, ordering: .relaxed).newValue), number: 0).lane
  }
}
