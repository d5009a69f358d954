import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// Selectors that combine others, against the same computed by hand, in trees and outside of them.
@Suite("Random derivations")
struct RandomDerivationTests {
  private static func derived(_ kinds: Kinds) -> String {
    "\(kinds.number) \(kinds.inner.title) \(kinds.array.count) \(kinds.optional ?? -1)"
  }

  private func makeSelector() -> StateSelector<Kinds, String> {
    let title = StateSelector(\Kinds.inner.title)
    let pair = StateSelector(combining: StateSelector(\Kinds.number), title) { "\($0) \($1)" }
    return StateSelector(
      combining: pair,
      StateSelector { (kinds: Kinds) in kinds.array.count },
      StateSelector(\Kinds.optional)
    ) {
      "\($0) \($1) \($2 ?? -1)"
    }
  }

  @Test("Subscribers of two aggregators and reads of any state get what the derivation gives")
  func program() {
    for seed in 0..<UInt64(rounds(1_000)) {
      var random = SplitMix(seed: seed)
      let selector = makeSelector()
      let aggregators = [Aggregator(initial: Kinds()), Aggregator(initial: Kinds(number: 3))]
      var subscribers: [(aggregator: Int, recorder: Recorder<String, Never>, expected: [String])] = []
      for step in 0..<60 {
        let place = Int.random(in: 0..<2, using: &random)
        let aggregator = aggregators[place]
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          let recorder = Recorder(aggregator.select(selector).observable)
          subscribers.append((place, recorder, [Self.derived(aggregator.snapshot)]))
        case 1 where !subscribers.isEmpty:
          let left = subscribers.remove(at: Int.random(in: 0..<subscribers.count, using: &random))
          left.recorder.cancel()
          #expect(left.recorder.values == left.expected, "seed \(seed)")
        case 2: #expect(aggregator.select(selector).current == Self.derived(aggregator.snapshot), "seed \(seed)")
        case 3:
          let other = Kinds(number: step % 3, optional: step % 2 == 0 ? nil : 1)
          #expect(selector(other) == Self.derived(other), "seed \(seed)")
        case let kind:
          let before = Self.derived(aggregator.snapshot)
          aggregator.edit { kinds in
            switch kind {
            case 4: kinds.number = step % 4
            case 5: kinds.inner.title = step % 3 == 0 ? "a title that needs storage of its own" : "b"
            case 6: kinds.array.append("")
            default: kinds.optional = step % 2 == 0 ? nil : step % 3
            }
          }
          let after = Self.derived(aggregator.snapshot)
          for index in subscribers.indices where subscribers[index].aggregator == place && after != before {
            subscribers[index].expected.append(after)
          }
        }
      }
      for subscriber in subscribers { #expect(subscriber.recorder.values == subscriber.expected, "seed \(seed)") }
    }
  }

  @Test("Threads that read different states by one selector get each its own result")
  func threads() {
    let selector = makeSelector()
    let aggregator = Aggregator(initial: Kinds())
    let token = aggregator.select(selector).subscribe { _ in }
    let count = rounds(20_000)
    Threads.run(count: 4) { thread in
      for step in 0..<count {
        if thread == 0 { aggregator.edit { $0.number = step } }
        let kinds = Kinds(number: (thread + step) % 5)
        #expect(selector(kinds) == Self.derived(kinds))
      }
    }
    withExtendedLifetime(token) {}
  }

  @Test("What a selector has kept of its inputs is released with it")
  func released() {
    let tracker = LifetimeTracker()
    do {
      let objects = StateSelector(\Scripted.objects, by: { $0.count == $1.count })
      let selector = StateSelector(combining: objects, StateSelector(\Scripted.value)) { $0.count + $1 }
      let aggregator = Aggregator(initial: Scripted())
      let token = aggregator.select(selector).subscribe { _ in }
      for _ in 0..<3 { aggregator.run { [object = tracker.make()] in $0.objects.append(object) } }
      #expect(selector(aggregator.snapshot) == 3)
      withExtendedLifetime(token) {}
    }
    #expect(tracker.liveCount == 0)
  }
}
