import RASPTesting
import Streams
import Synchronization
import TestSupport
import Testing

/// Values that a bound drops are objects here, which are released once: too often would be a use after free.
@Suite("Dropped values")
struct DroppedValuesTests {
  private final class Live: Sendable {
    let number: Int
    let count: LiveCount

    init(_ number: Int, _ count: LiveCount) {
      self.number = number
      self.count = count
      count.change(by: 1)
    }

    deinit {
      count.change(by: -1)
    }
  }

  private final class LiveCount: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .acquiring) }

    func change(by difference: Int) {
      number.wrappingAdd(difference, ordering: .acquiringAndReleasing)
    }
  }

  @Test(
    "objects that a bound drops while others wait are released once",
    arguments: [BufferingPolicy.newest(3), .newest(1), .newest(0), .oldest(3), .unbounded]
  )
  func oneThread(policy: BufferingPolicy) {
    let count = LiveCount()
    do {
      let subject = Subject<Live, Never>(buffering: policy)
      let kept = Lock<[Live]>([])
      let token = subject.subscribe { value in
        guard value.number == 0 else { return kept.withLock { $0.append(value) } }
        let sent = (1...12).map { Live($0, count) }
        for one in sent { subject.send(one) }
        subject.send(contentsOf: sent)
        #expect(sent.map(\.number) == Array(1...12))
      }
      subject.send(Live(0, count))
      #expect(kept.withLock { $0.allSatisfy { (1...12).contains($0.number) } })
      #expect(kept.withLock { $0.count } + subject.droppedCount == 24)
      withExtendedLifetime(token) {}
    }
    #expect(count.value == 0)
  }

  @Test("four threads send objects through a bound, and each is released once")
  func threads() async {
    let count = LiveCount()
    do {
      let subject = Subject<Live, Never>(buffering: .newest(3))
      let sum = Atomic<Int>(0)
      let token = subject.subscribe { value in sum.wrappingAdd(value.number, ordering: .relaxed) }
      let send: @Sendable () -> Void = { for _ in 0..<2_000 { subject.send(Live(1, count)) } }
      await Threads.run(send, send, send, send)
      #expect(await eventually { sum.load(ordering: .relaxed) + subject.droppedCount == 8_000 })
      withExtendedLifetime(token) {}
    }
    #expect(await eventually { count.value == 0 })
  }
}
