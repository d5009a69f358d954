import Aggregate
import RASPKeyed
import RASPTesting
import Streams

extension Shape {
  /// So many threads send to as many shards, each for keys of all shards.
  static func keyedShards(_ shards: Int) -> Shape {
    Shape("keyed-shards-\(shards)", events: 60_000) { events in
      let market = Market(10_000)
      let quotes = KeyedAggregator(shards: shards, by: \Tick.symbol, initial: { _ in Quote() })
      quotes.send(contentsOf: market.firstTicks)
      // Each thread has the keys of one shard, as the sources of different devices have: by the upper bits of a half of
      // the hash, as the aggregator divides them.
      let ticks = market.ticks(events)
      let parts = (0..<shards).map { shard in
        ticks.filter { tick in
          Int((UInt64(UInt32(truncatingIfNeeded: tick.symbol.hashValue)) * UInt64(shards)) >> 32) == shard
        }
      }
      return Run {
        Threads.run(count: shards) { thread in
          for tick in parts[thread] { quotes.send(tick) }
        }
      } proofs: {
        [
          Proof(
            "folded events",
            quotes.rows().values.reduce(0) { $0 + $1.count },
            is: market.symbols.count + events
          )
        ]
      }
    }
  }
}
