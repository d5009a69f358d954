import TestSupport
import Testing

@testable import Streams

extension RetryDelay {
  fileprivate func callAsFunction(_ retry: Int) -> Duration {
    var delays = start()
    return delays.next(retry)
  }
}

@Suite("RetryDelay")
struct RetryDelayTests {
  @Test("none and constant")
  func plain() {
    #expect([0, 1, 1_000].map { RetryDelay.none($0) } == [.zero, .zero, .zero])
    #expect([0, 1, Int.max].map { RetryDelay.constant(.seconds(3))($0) } == [.seconds(3), .seconds(3), .seconds(3)])
  }

  @Test("exponential: longer each time, up to the limit")
  func exponential() {
    let doubling = RetryDelay.exponential(from: .milliseconds(100), limit: .seconds(1))
    #expect((0..<7).map { doubling($0) } == [100, 200, 400, 800, 1_000, 1_000, 1_000].map { .milliseconds($0) })
    let tripling = RetryDelay.exponential(from: .seconds(1), factor: 3)
    #expect((0..<6).map { tripling($0) } == [1, 3, 9, 27, 60, 60].map { .seconds($0) })
    #expect(RetryDelay.exponential(from: .seconds(5), limit: .seconds(2))(0) == .seconds(2))
    #expect(RetryDelay.exponential(from: .seconds(5), factor: 1)(1_000) == .seconds(5))
  }

  @Test(
    "exponential: no duration, factor or number of the retry traps, and the limit is kept",
    arguments: [
      Duration.zero, .seconds(-1), .seconds(1), .seconds(Int64.max), Duration(attoseconds: .min),
      Duration(attoseconds: .max), Duration(attoseconds: 1),
    ]
  )
  func extremes(first: Duration) {
    for factor in [Int.min, -2, 0, 1, 2, 1_000_003, .max] {
      for limit in [Duration(attoseconds: .min), .seconds(-1), .zero, .seconds(60), Duration(attoseconds: .max)] {
        let delay = RetryDelay.exponential(from: first, factor: factor, limit: limit)
        for retry in [Int.min, 0, 1, 200, 100_000, .max] {
          #expect(delay(retry) <= limit)
        }
      }
    }
  }

  @Test("jitter: chance takes away its part of a delay, from a generator that each subscription begins anew")
  func jitter() {
    let delay = RetryDelay.constant(.seconds(10), jitter: 0.3, using: SplitMix(seed: 1))
    var (first, second) = (delay.start(), delay.start())
    let delays = (0..<100).map { first.next($0) }
    #expect(delays == (0..<100).map { second.next($0) })
    #expect(delays.allSatisfy { $0 >= .seconds(7) && $0 <= .seconds(10) })
    #expect(Set(delays).count > 90)
    #expect(RetryDelay.constant(.seconds(10), jitter: .nan)(0) == .seconds(10))
    #expect(RetryDelay.constant(.seconds(10), jitter: -1)(0) == .seconds(10))
    let all = RetryDelay.constant(Duration(attoseconds: .max), jitter: 5)(0)
    #expect(all >= .zero)
  }
}
