import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("VirtualScheduler at the edges")
struct VirtualSchedulerEdgeTests {
  private let time = VirtualScheduler()
  private let log = Log<String>()

  private var ran: [String] { log.entries }

  private func note(_ name: String) {
    log.note(name)
  }

  private func put(_ name: String, at seconds: Int) {
    time.schedule(at: .seconds(seconds)) { note("\(name)@\(time.now.components.seconds)") }.detach()
  }

  @Test("the instant that time is moved to belongs to the move; the one after it does not")
  func boundary() {
    put("a", at: 2)
    put("b", at: 3)
    time.advance(to: .seconds(2))
    #expect(ran == ["a@2"])
    #expect(time.now == .seconds(2))
    time.advance(by: .seconds(1))
    #expect(ran == ["a@2", "b@3"])
  }

  @Test("time does not go back, and what is due runs at the next move, also at a move by zero or less")
  func backwards() {
    time.advance(to: .seconds(5))
    put("past", at: 1)
    put("now", at: 5)
    put("later", at: 6)
    #expect(ran == [])
    time.advance(by: .seconds(-3))
    #expect(ran == ["past@5", "now@5"])
    #expect(time.now == .seconds(5))
    time.advance(to: .zero)
    #expect(time.now == .seconds(5))
    #expect(time.pending == [.seconds(6)])
  }

  @Test("an action may move time: what becomes due runs inside, and the outer move goes on from there")
  func nested() {
    time.schedule(at: .seconds(1)) {
      note("outer begins")
      time.advance(to: .seconds(3))
      note("outer ends")
    }.detach()
    put("inner", at: 2)
    put("after", at: 4)
    time.advance(to: .seconds(2))
    #expect(ran == ["outer begins", "inner@2", "outer ends"])
    #expect(time.now == .seconds(3))
    time.run()
    #expect(ran.last == "after@4")
  }

  @Test("an action that schedules at its own instant runs in the same move, after those that were there before")
  func sameInstant() {
    time.schedule(at: .seconds(1)) {
      note("a")
      put("c", at: 1)
      put("d", at: 0)
    }.detach()
    put("b", at: 1)
    time.advance(to: .seconds(1))
    #expect(ran == ["a", "b@1", "c@1", "d@1"])
  }

  @Test("an action may cancel one that is due at the same instant, and its own token")
  func cancelNeighbour() {
    let tokens = Lock<[Subscription]>([])
    let first = time.schedule(at: .seconds(1)) {
      note("a")
      for token in tokens.withLock({ $0 }) { token.cancel() }
    }
    let second = time.schedule(at: .seconds(1)) { note("b") }
    tokens.withLock { $0 = [first, second] }
    time.run()
    #expect(ran == ["a"])
    #expect(time.pending == [])
  }

  @Test("run stops at its limit and says whether anything is left", arguments: [-1, 0, 1, 3, 4, 100])
  func runLimit(limit: Int) {
    for second in 1...4 { put("x", at: second) }
    #expect(time.run(limit: limit) == (limit >= 4))
    #expect(ran.count == min(4, max(0, limit)))
    #expect(time.pending.count == 4 - ran.count)
  }

  @Test("releasing the token cancels; a detached one runs; cancelling after the run does nothing")
  func tokens() {
    _ = time.schedule(at: .seconds(1)) { note("released") }
    let ended = time.schedule(at: .seconds(1)) { note("kept") }
    put("detached", at: 1)
    #expect(time.pending == [.seconds(1), .seconds(1)])
    time.run()
    ended.cancel()
    #expect(ran == ["kept", "detached@1"])
  }

  @Test("actions are released when they ran and when they are cancelled, and their deinits may use the scheduler")
  func release() {
    let tracker = LifetimeTracker()
    func object() -> LifetimeTracker.Object { tracker.make { [time] in _ = time.now } }
    let kept = time.schedule(at: .seconds(1)) { [object = object()] in _ = object }
    let cancelled = time.schedule(at: .seconds(1)) { [object = object()] in _ = object }
    #expect(tracker.liveCount == 2)
    cancelled.cancel()
    #expect(tracker.liveCount == 1)
    time.run()
    #expect(tracker.liveCount == 0)
    _ = kept
  }

  @Test("what was forgotten is told, in order of instants")
  func pending() {
    for second in [5, 1, 9, 3] { put("x", at: second) }
    let cancelled = time.schedule(at: .seconds(2)) {}
    cancelled.cancel()
    #expect(time.pending == [1, 3, 5, 9].map { .seconds($0) })
    time.advance(to: .seconds(3))
    #expect(time.pending == [5, 9].map { .seconds($0) })
  }

  @Test("two threads that move time share the work: everything runs once, nothing is lost")
  func twoMovers() async {
    for _ in 0..<rounds(3_000) {
      let time = VirtualScheduler()
      let counts = Lock<[Int: Int]>([:])
      for index in 0..<50 {
        time.schedule(at: .milliseconds(index)) { counts.withLock { $0[index, default: 0] += 1 } }.detach()
      }
      await Threads.run(count: 2) { _ in for _ in 0..<50 { time.advance(by: .milliseconds(1)) } }
      time.run()
      #expect(counts.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, 1) }))
    }
  }

  @Test("cancelling against the move: an action runs once or not at all, and its object goes")
  func cancelAgainstMove() async {
    for _ in 0..<rounds(20_000) {
      let time = VirtualScheduler()
      let tracker = LifetimeTracker()
      let runs = Lock(0)
      let token = time.schedule(at: .seconds(1)) { [object = tracker.make()] in
        _ = object
        runs.withLock { $0 += 1 }
      }
      await Threads.run({ time.run() }, { token.cancel() })
      #expect(runs.withLock { $0 } <= 1)
      #expect(tracker.liveCount == 0)
      #expect(time.pending == [])
    }
  }
}
