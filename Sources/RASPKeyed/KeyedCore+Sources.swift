import Aggregate
import RASPPrimitives
import Streams

extension KeyedCore: SourceFollower {
  @usableFromInline typealias Event = State.Event

  @usableFromInline var health: HealthBoard { reports.hubs.health }

  @usableFromInline
  func behindAllEvents(_ action: @escaping @Sendable () -> Void) {
    let open = CountDownLatch(shards.count, then: action)
    for shard in shards {
      shard.queue.run { _, access in
        open.countDown()
      }
    }
  }

  @usableFromInline
  func runBehindAllEventsWithoutDelivering(_ action: @escaping @Sendable () -> Void) {
    let open = CountDownLatch(shards.count, then: action)
    for shard in shards { shard.queue.runWithoutDelivering { _, _ in open.countDown() } }
  }

  @usableFromInline
  func sourceFailed(_ source: SourceID, _ error: any Error) {
    reports.sourceFailed(source, error)
  }

  @usableFromInline
  func report(_ diagnostic: AggregatorDiagnostic) {
    shards[0].report(diagnostic)
  }
}
