import Aggregate
import AggregateTestSupport
import Streams
import TestSupport
import Testing

@Suite("The tree of selections: subscribers that leave")
struct LeavingTests {
  @Test("Many subscribers leave in any order, from outside and from inside rounds; those who stay hear everything")
  func leaving() {
    for seed in 0..<UInt64(rounds(2_000)) {
      var numbers = SplitMix(seed: seed)
      let aggregator = Aggregator(initial: Tally())
      let count = Int.random(in: 1...120, using: &numbers)
      let tokens = Lock<[Int: Subscription]>([:])
      let heard = Lock<[Int]>([])
      // Who leaves when which subscriber is called.
      let plan = Lock<[Int: [Int]]>([:])
      for index in 0..<count {
        let onCount: @Sendable (Int) -> Void = { count in
          guard count > 0 else { return }
          heard.withLock { $0.append(index) }
          for leaving in plan.withLock({ $0.removeValue(forKey: index) }) ?? [] {
            tokens.withLock { $0.removeValue(forKey: leaving) }?.cancel()
          }
        }
        let token =
          index.isMultiple(of: 3)
          ? aggregator.states.subscribe { onCount($0.count) } : aggregator.select(\.count).subscribe(onCount)
        tokens.withLock { $0[index] = token }
      }
      var present = Array(0..<count)
      while !present.isEmpty {
        var planned: [Int: [Int]] = [:]
        for leaving in present where Int.random(in: 0..<4, using: &numbers) == 0 {
          guard let caller = present.randomElement(using: &numbers) else { continue }
          planned[caller, default: []].append(leaving)
        }
        plan.exchange(with: planned)
        var expected: [Int] = []
        var gone: Set<Int> = []
        for index in present where !gone.contains(index) {
          expected.append(index)
          gone.formUnion(planned[index] ?? [])
        }
        heard.exchange(with: [])
        aggregator.send(.add(1))
        #expect(heard.withLock { $0 } == expected, "seed \(seed)")
        present.removeAll { gone.contains($0) }
        if let outside = present.randomElement(using: &numbers) {
          tokens.withLock { $0.removeValue(forKey: outside) }?.cancel()
          present.removeAll { $0 == outside }
        }
      }
      heard.exchange(with: [])
      aggregator.send(.add(1))
      #expect(heard.withLock { $0 }.isEmpty, "seed \(seed)")
    }
  }
}
