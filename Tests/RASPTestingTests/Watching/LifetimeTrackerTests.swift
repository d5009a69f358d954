import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("LifetimeTracker")
struct LifetimeTrackerTests {
  @Test("counts what is alive, and each tracker its own")
  func count() {
    let tracker = LifetimeTracker()
    let other = LifetimeTracker()
    var first: LifetimeTracker.Object? = tracker.make()
    let second = tracker.make()
    #expect(tracker.liveCount == 2)
    #expect(other.liveCount == 0)
    let alias = first
    first = nil
    #expect(tracker.liveCount == 2)
    withExtendedLifetime((alias, second)) {}
  }

  @Test("runs what is to be run when an object goes, after it was counted out")
  func onRelease() {
    let tracker = LifetimeTracker()
    let counts = Lock<[Int]>([])
    var object: LifetimeTracker.Object? = tracker.make {
      let count = tracker.liveCount
      counts.withLock { $0.append(count) }
    }
    #expect(counts.withLock { $0 } == [])
    object = nil
    #expect(counts.withLock { $0 } == [0])
    _ = object
  }

  @Test("counts from many threads")
  func threads() async {
    let tracker = LifetimeTracker()
    let kept = Lock<[LifetimeTracker.Object]>([])
    await Threads.run(count: 4) { _ in
      for index in 0..<1_000 {
        let object = tracker.make()
        if index.isMultiple(of: 10) { kept.withLock { $0.append(object) } }
      }
    }
    #expect(tracker.liveCount == 400)
    kept.withLock { $0 = [] }
    #expect(tracker.liveCount == 0)
  }
}
