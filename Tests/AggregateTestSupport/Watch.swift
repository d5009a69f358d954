import Synchronization
import TestSupport

/// Sees numbers that may only grow: the last one, and whether one ever was a step back.
package final class Watch: Sendable {
  private let newest = Atomic<Int>(.min)
  private let back = Flag()
  package let calls = Counter()

  package init() {}

  package var last: Int { newest.load(ordering: .acquiring) }
  package var steppedBack: Bool { back.isRaised }

  package func see(_ value: Int) {
    calls.increment()
    if value < newest.exchange(value, ordering: .acquiringAndReleasing) { back.raise() }
  }
}
