import AggregateTestSupport
import RASPTesting
import Synchronization
import TestSupport
import Testing

@testable import Aggregate

/// A state that counts its events twice: in itself, when it has been changed, and outside, when a change begins.
private struct Slow: AggregateState {
  let begun: Counter
  var count = 0

  mutating func apply(_ work: Int) {
    begun.increment()
    // Not for a time, but for about as long as an event with a little work takes.
    let looks = Atomic<Int>(0)
    while looks.add(1, ordering: .relaxed).newValue < work {}
    count += 1
  }
}

/// A read waits for the `apply` that is under way, and for one more if it comes just when the owner looks. How many
/// began after the read is counted and not timed, so it does not depend on the speed of the machine.
@Suite("Reads beside a backlog")
struct ReadsBesideBacklogTests {
  @Test("A read does not wait for the backlog: of many reads, few wait for more than one apply that begins after them")
  func backlog() {
    let begun = Counter()
    let aggregator = Aggregator(initial: Slow(begun: begun))
    let (reads, late) = (Counter(), Counter())
    let (wanted, batch) = (rounds(200_000), Array(repeating: 2_000, count: 1_000))
    let sent = Counter()

    Threads.run(
      {
        while reads.value < wanted {
          aggregator.send(contentsOf: batch)
          sent.increment(by: batch.count)
        }
      },
      {
        while reads.value < wanted {
          let before = begun.value
          let seen = aggregator.snapshot.count
          reads.increment()
          // The reader itself may be interrupted between the two, so it is a few, and not none.
          if seen - before > 1 { late.increment() }
        }
      }
    )

    #expect(aggregator.snapshot.count == sent.value)
    #expect(late.value * 10 <= reads.value)
  }
}
