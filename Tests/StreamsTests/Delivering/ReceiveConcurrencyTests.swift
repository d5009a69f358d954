import RASPTesting
import Streams
import Synchronization
import TestSupport
import Testing

@Suite("receive(on:), on executors that run by themselves", .endsInTime)
struct ReceiveConcurrencyTests {
  /// Writes down what it sees and whether two calls ever overlapped; can be waited for.
  private final class Watcher: Sendable {
    private let inside = Atomic<Int>(0)
    private let overlapped = Atomic<Bool>(false)
    private let seen = Lock<[Int]>([])
    private let ended = Latch()

    var values: [Int] { seen.withLock { $0 } }
    var hasOverlapped: Bool { overlapped.load(ordering: .acquiring) }

    func enter(_ value: Int) {
      if inside.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue != 0 {
        overlapped.store(true, ordering: .releasing)
      }
      seen.withLock { $0.append(value) }
      inside.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }

    func end() {
      if inside.load(ordering: .acquiring) != 0 { overlapped.store(true, ordering: .releasing) }
      ended.open()
    }

    func untilEnd() async { await ended.wait() }
  }

  /// An actor with something to protect.
  private actor Diary {
    private(set) var entries: [Int] = []
    private let ended = Latch()

    func note(_ value: Int) { entries.append(value) }
    func end() { ended.open() }
    nonisolated func untilEnd() async { await ended.wait() }

    /// Writes down what a stream delivers on this actor.
    nonisolated func follow(_ stream: Observable<Int, Never>) -> Subscription {
      stream.receive(on: self).subscribe { diary, value in
        diary.note(value)
      } onEnd: { diary, _ in
        diary.end()
      }
    }
  }

  @Test("THR-07: on a concurrent executor values arrive in order and without overlap, the end last")
  func concurrentExecutor() async {
    for _ in 0..<rounds(2_000) {
      let subject = Subject<Int, Never>()
      let watcher = Watcher()
      let subscription = subject.receive(on: globalConcurrentExecutor).subscribe {
        watcher.enter($0)
      } onEnd: { _ in
        watcher.end()
      }
      for value in 0..<300 {
        subject.send(value)
        // Lets the line run empty now and then, so that deliveries stop and begin again.
        if value.isMultiple(of: 50) { await Task.yield() }
      }
      subject.finish()
      await watcher.untilEnd()
      #expect(watcher.values == Array(0..<300))
      #expect(!watcher.hasOverlapped)
      _ = subscription
    }
  }

  @Test("THR-07: two senders at once: nothing is lost, each one's order is kept, no overlap")
  func twoSenders() async {
    for _ in 0..<rounds(2_000) {
      let subject = Subject<Int, Never>()
      let watcher = Watcher()
      let subscription = subject.receive(on: globalConcurrentExecutor).subscribe {
        watcher.enter($0)
      } onEnd: { _ in
        watcher.end()
      }
      await withTaskGroup { group in
        for sender in 0..<2 {
          group.addTask { for value in 0..<100 { subject.send(sender * 1_000 + value) } }
        }
      }
      subject.finish()
      await watcher.untilEnd()
      #expect(watcher.values.filter { $0 < 1_000 } == Array(0..<100))
      #expect(watcher.values.filter { $0 >= 1_000 } == Array(1_000..<1_100))
      #expect(!watcher.hasOverlapped)
      _ = subscription
    }
  }

  @Test("a hundred thousand values onto an actor, whose state the closures may touch")
  func actor() async {
    let subject = Subject<Int, Never>()
    let diary = Diary()
    let subscription = diary.follow(subject.observable)
    for value in 0..<100_000 { subject.send(value) }
    subject.finish()
    await diary.untilEnd()
    #expect(await diary.entries == Array(0..<100_000))
    _ = subscription
  }

  @Test("an actor with work of its own gets on with it during a burst")
  func fairness() async {
    let subject = Subject<Int, Never>()
    let diary = Diary()
    let subscription = diary.follow(subject.observable)
    for value in 0..<10_000 { subject.send(value) }
    // The burst is still under way or has not begun: this call must not have to wait for its end, which never comes.
    await diary.note(-1)
    #expect(await diary.entries.contains(-1))
    subject.finish()
    await diary.untilEnd()
    #expect(await diary.entries.filter { $0 >= 0 } == Array(0..<10_000))
    _ = subscription
  }

  @MainActor
  @Test("the main actor: what belongs to it may be touched, and cancelling on it is exact")
  func mainActor() async {
    final class Model {
      var values: [Int] = []
    }
    let model = Model()
    let subject = Subject<Int, MarbleFailure>()
    let ended = Latch()
    let subscription = subject.receive(on: MainActor.shared).subscribe { value in
      model.values.append(value)
    } onEnd: { _ in
      ended.open()
    }
    for value in 0..<100 { subject.send(value) }
    #expect(model.values == [])
    subject.fail(MarbleFailure())
    await ended.wait()
    #expect(model.values == Array(0..<100))
    _ = subscription

    let again = Subject<Int, MarbleFailure>()
    let cancelled = again.receive(on: MainActor.shared).subscribe { model.values.append($0) }
    again.send(-1)
    cancelled.cancel()
    for _ in 0..<100 { await Task.yield() }
    #expect(model.values.count == 100)
  }

  @Test("CAN-12: cancelling against delivery: once it has returned, at most the callback under way is left")
  func cancelAgainstDelivery() async {
    for _ in 0..<rounds(10_000) {
      let subject = Subject<Int, Never>()
      let watcher = Watcher()
      let began = Latch()
      let subscription = subject.receive(on: globalConcurrentExecutor).subscribe {
        began.open()
        watcher.enter($0)
      }
      for value in 0..<50 { subject.send(value) }
      await began.wait()
      subscription.cancel()
      let seen = watcher.values.count
      for _ in 0..<5 { await Task.yield() }
      #expect(watcher.values.count <= seen + 1)
    }
  }
}
