import CostRows
import RASPTesting
import Streams

/// The operators that recover from failures.
let failingRows: [CostRow] = [
  .passing("retry", "retry, a value passes", should: 120, peer: Peer("OpenCombine", 2_951), failure: Broken.self) {
    $0.retry(3)
  },
  .passing("retry.health", "retry that waits for health, a value passes", should: 200, failure: Broken.self) {
    $0.retry(.none, recovery: .health(for: .seconds(1)))
  },
  CostRow(
    "retry.try",
    "retry: one try that fails at once",
    should: 2_000,
    peer: Peer("OpenCombine", 5_242),
    note: "each try has a lifetime, an observer and its closures"
  ) { _ in
    let source = Observable<Int, Broken>.fail(Broken())
    let tally = Tally()
    return { count in
      _ = source.retry(count - 1).handleEvents(onEnd: { tally.see($0) }).subscribe { _ in }
      tally.expect(1)
    }
  },
  CostRow(
    "retry.try.delayed",
    "retry after a delay: one try, virtual time",
    should: 2_000 + 2_000,
    note: "each try has a lifetime, an observer and its closures, and a timer"
  ) { _ in
    let time = VirtualScheduler()
    let tally = Tally()
    let source = Observable<Int, Broken>.deferred {
      tally.see(())
      return .fail(Broken())
    }
    let token = source.retry(.constant(.seconds(1)), on: time).subscribe { _ in }
    tally.expect(1)
    return { count in
      for _ in 0..<count { time.advance(by: .seconds(1)) }
      tally.expect(count)
      withExtendedLifetime(token) {}
    }
  },
  .stepping(
    "catch.failure",
    "catch: subscribe, fail, one value of the replacement",
    should: 3_000,
    peer: Peer("RxSwift", 30_170),
    note: "two subscriptions are made"
  ) { _, tally in
    let stream = Observable<Int, Broken>.fail(Broken()).catch { _ in Observable<Int, Never>(CollectionOfOne(1)) }
    return ({ _ in _ = stream.subscribe { tally.see($0) } }, stream)
  },
]
