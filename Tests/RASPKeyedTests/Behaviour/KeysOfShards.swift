import Aggregate

@testable import RASPKeyed

private struct Nothing: AggregateState {
  mutating func apply(_ event: Int) {}
}

/// Two keys that belong to different shards, in this process.
func keysOfTwoShards(of count: Int) -> [Int] {
  let aggregator = KeyedAggregator(shards: count, by: { (key: Int) in key }, initial: { _ in Nothing() })
  func shard(_ key: Int) -> Int { aggregator.core.router.index(of: HashedKey(key)) }
  return [0, (1..<1_000).first { shard($0) != shard(0) } ?? 1]
}
