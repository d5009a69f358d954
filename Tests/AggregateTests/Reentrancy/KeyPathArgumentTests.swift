import Aggregate
import TestSupport
import Testing

@Suite("Arguments of key paths")
struct KeyPathArgumentTests {
  @Test("Rule 5: a key path's argument, the user's type, is not compared or hashed under a lock")
  func keyPathArguments() {
    let aggregator = Aggregator(initial: Sensors())
    let calls = Counter()
    let key = Sensors.Key(name: "a") {
      // Bounded, because sending from here is an odd thing to do.
      if calls.increment() < 1000 { aggregator.send(1) }
    }
    let token = aggregator.select(\.[key]).subscribe { _ in }
    let second = aggregator.select(\.[key]).subscribe { _ in }

    token.cancel()
    second.cancel()

    #expect(aggregator.snapshot.sum == min(calls.value, 999))
  }

  private struct Sensors: AggregateState {
    struct Key: Hashable, Sendable {
      let name: String
      let onUse: @Sendable () -> Void

      static func == (lhs: Key, rhs: Key) -> Bool {
        lhs.onUse()
        return lhs.name == rhs.name
      }

      func hash(into hasher: inout Hasher) {
        onUse()
        hasher.combine(name)
      }
    }

    var sum = 0

    subscript(key: Key) -> Int { key.name.count }

    mutating func apply(_ event: Int) {
      sum += event
    }
  }
}
