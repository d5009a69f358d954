import Aggregate
import Streams

extension KeyedCore: SourceFollower {
  @usableFromInline
  package func behindAllEvents(_ action: @escaping @Sendable () -> Void) {
    let open = CountDownLatch(shards.count, then: action)
    for shard in shards {
      shard.queue.run { _, access in
        open.countDown()
      }
    }
  }

  @usableFromInline
  package func runBehindAllEventsWithoutDelivering(_ action: @escaping @Sendable () -> Void) {
    let open = CountDownLatch(shards.count, then: action)
    for shard in shards { shard.queue.runWithoutDelivering { _, _ in open.countDown() } }
  }

  @usableFromInline
  package func report(_ diagnostic: AggregatorDiagnostic) {
    shards[0].report(diagnostic)
  }
}
