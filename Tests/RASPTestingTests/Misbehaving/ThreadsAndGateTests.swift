import RASPTesting
import Synchronization
import TestSupport
import Testing

@testable import Streams

@Suite("Threads and Gate")
struct ThreadsAndGateTests {
  @Test("each body runs once, on a thread of its own, and all are done when run returns")
  func threads() {
    let seen = Lock<[UInt]>([])
    let gate = Gate(patience: longestWait)
    Threads.run(count: 8) { _ in
      // No thread gets past before all are there, so they are eight threads at once.
      if seen.withLock({
        $0.append(CurrentThread.id); return $0.count
      }) == 8 {
        gate.open()
      }
      gate.hold()
    }
    #expect(Set(seen.withLock { $0 }).count == 8)
    #expect(!seen.withLock { $0 }.contains(CurrentThread.id))
  }

  @Test("bodies get their indices", arguments: [0, 1, 5])
  func indices(count: Int) {
    let seen = Lock<[Int]>([])
    Threads.run(count: count) { index in seen.withLock { $0.append(index) } }
    #expect(seen.withLock { $0 }.sorted() == Array(0..<count))
  }

  @Test("fewer than no threads are none")
  func negativeCount() {
    Threads.run(count: -1) { _ in Issue.record("no body was to run") }
    Threads.run()
  }

  @Test("bodies are released when their threads end")
  func release() {
    let tracker = LifetimeTracker()
    for _ in 0..<50 {
      Threads.run({ [object = tracker.make()] in _ = object }, { [object = tracker.make()] in _ = object })
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("a gate holds until it is opened, and then lets everyone through for good")
  func gate() {
    let gate = Gate(patience: longestWait)
    let passed = Atomic<Int>(0)
    Threads.run(
      {
        gate.hold()
        passed.wrappingAdd(1, ordering: .acquiringAndReleasing)
      },
      {
        gate.hold()
        passed.wrappingAdd(1, ordering: .acquiringAndReleasing)
      },
      {
        gate.waitUntilHeld(by: 2)
        #expect(passed.load(ordering: .acquiring) == 0)
        gate.open()
      }
    )
    #expect(passed.load(ordering: .acquiring) == 2)
    gate.hold()
    gate.waitUntilHeld(by: 3)
    gate.open()
  }

  @Test("a gate that is never opened reports itself, opens, and holds no thread for ever")
  func neverOpened() {
    let line = #_sourceLocation.line + 2
    let found = reportsWithLocations {
      let gate = Gate(patience: .milliseconds(1))
      Threads.run { gate.hold() }
      gate.hold()
    }
    #expect(found.map { $0.text.contains("`open()`") } == [true])
    #expect(found.map(\.sourceLocation.line) == [line])
  }

  @Test("so does a gate that fewer threads come to than are waited for")
  func neverHeld() {
    let found = reports {
      let gate = Gate(patience: .milliseconds(1))
      Threads.run({ gate.waitUntilHeld(by: 2) }, { gate.hold() })
      gate.hold()
    }
    #expect(found.contains { $0.contains("fewer than 2") && $0.contains("`hold()`") })
  }

  @Test("a value sent while a delivery is held open waits")
  func delivery() {
    let subject = Subject<Int, Never>()
    let gate = Gate(patience: longestWait)
    let recorder = Recorder(subject.observable) { _ in gate.hold() }
    Threads.run(
      { subject.send(1) },
      {
        gate.waitUntilHeld()
        subject.send(2)
        #expect(recorder.values == [1], "the second value waits")
        gate.open()
      }
    )
    #expect(recorder.values == [1, 2])
  }
}
