import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("Lifetime")
struct LifetimeTests {
  @Test("Teardowns run once, in the order they came; the first to end it learns so")
  func once() {
    let lifetime = Lifetime()
    let order = Log<Int>()
    for index in 0..<3 { lifetime.onTermination { order.note(index) } }
    #expect(lifetime.isActive)
    #expect(lifetime.terminate())
    #expect(!lifetime.isActive)
    #expect(!lifetime.terminate())
    #expect(order.entries == [0, 1, 2])
  }

  @Test("A teardown that comes late runs at once, also from inside a teardown")
  func late() {
    let lifetime = Lifetime()
    let order = Log<String>()
    lifetime.onTermination {
      order.note("first")
      #expect(!lifetime.isActive)
      #expect(!lifetime.terminate())
      lifetime.onTermination { order.note("nested") }
    }
    lifetime.onTermination { order.note("second") }
    lifetime.terminate()
    lifetime.onTermination { order.note("late") }
    #expect(order.entries == ["first", "nested", "second", "late"])
  }

  private final class Ending: LifetimeEnding {
    let lifetime = Lifetime()
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
      self.end = end
    }

    func lifetimeEnded() { end() }
  }

  @Test("Objects are told of the end once, among the closures, in the order they came; late ones at once")
  func objects() {
    for count in 1...3 {
      let lifetime = Lifetime()
      let order = Log<Int>()
      for index in 0..<count {
        lifetime.onTermination(Ending { order.note(2 * index) })
        if count > 1 { lifetime.onTermination { order.note(2 * index + 1) } }
      }
      lifetime.terminate()
      lifetime.terminate()
      #expect(order.entries == (count > 1 ? Array(0..<2 * count) : [0]))
      lifetime.onTermination(Ending { order.note(99) })
      #expect(order.entries.last == 99)
    }
  }

  @Test("An object is kept until the end, and released then")
  func keptObject() {
    let tracker = LifetimeTracker()
    let lifetime = Lifetime()
    lifetime.onTermination(Ending { [object = tracker.make()] in _ = object })
    #expect(tracker.liveCount == 1)
    lifetime.terminate()
    #expect(tracker.liveCount == 0)
  }

  @Test("Teardowns are released when they have run")
  func release() {
    let tracker = LifetimeTracker()
    let lifetime = Lifetime()
    lifetime.onTermination { [object = tracker.make()] in _ = object }
    #expect(tracker.liveCount == 1)
    lifetime.terminate()
    #expect(tracker.liveCount == 0)
    lifetime.onTermination { [object = tracker.make()] in _ = object }
    #expect(tracker.liveCount == 0)
  }

  @Test("Registering against ending: every teardown runs exactly once, and one thread ends it")
  func race() async {
    for _ in 0..<1_500 {
      let lifetime = Lifetime()
      let ran = Counter()
      let enders = Counter()
      await Threads.run(
        { for _ in 0..<5 { lifetime.onTermination { ran.increment() } } },
        { if lifetime.terminate() { enders.increment() } },
        { if lifetime.terminate() { enders.increment() } }
      )
      #expect(ran.value == 5)
      #expect(enders.value == 1)
    }
  }
}
