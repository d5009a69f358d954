import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

@Suite("The clock of recorders")
struct CachedClockTests {
  private static let millisecond: Int64 = 1_000_000

  /// A clock whose time is set by the test, and whose thread is the test.
  private final class Bench: Sendable {
    let time = Box<Int64>(1_000_000_000)
    let questions = Counter()
    let starts = Counter()
    let hasThreads: Bool
    let clock: CachedClock

    init(hasThreads: Bool = true) {
      self.hasThreads = hasThreads
      let (time, questions, starts) = (time, questions, starts)
      clock = CachedClock {
        questions.increment()
        return time.value ?? 0
      } start: { _ in
        starts.increment()
        return hasThreads
      }
    }

    /// Reads as a recorder does.
    func now() -> Int64 {
      let time = clock.time
      return time > 0 ? time : clock.read()
    }

    func advance(by nanoseconds: Int64) { time.value = (time.value ?? 0) + nanoseconds }

    /// Reads until the clock ticks.
    func readOften() {
      for _ in 0..<128 { _ = now() }
    }
  }

  @Test("while events are sparse, nothing runs: each asks for its own time, also if a few come at once")
  func sparse() {
    let bench = Bench()
    for event in 1...1_000 {
      bench.advance(by: 500 * Self.millisecond)
      for _ in 0..<40 { #expect(bench.now() == bench.time.value) }
      #expect(bench.questions.value == event * 40)
    }
    #expect(bench.starts.value == 0)
  }

  @Test("where events come fast, a thread is started once, and most of them ask nothing")
  func fast() {
    let bench = Bench()
    bench.readOften()
    #expect(bench.starts.value == 1)
    let asked = bench.questions.value
    for millisecond in 1...80 {
      for _ in 0..<1_000 { _ = bench.now() }
      bench.advance(by: Self.millisecond)
      #expect(bench.clock.tick(millisecond))
    }
    // The thread asks each millisecond. Of the events, the first one asks after each eighth, which has marked the word.
    #expect(bench.questions.value - asked == 80 + 9)
    #expect(bench.starts.value == 1)
  }

  @Test("the thread ends when nothing has read for a millisecond, and is started again where events come fast again")
  func idle() {
    let bench = Bench()
    for round in 1...5 {
      bench.readOften()
      #expect(bench.starts.value == round)
      var ticks = 1
      while bench.clock.tick(ticks) {
        bench.advance(by: Self.millisecond)
        ticks += 1
      }
      #expect(ticks == 9)
      bench.advance(by: 200 * Self.millisecond)
      #expect(bench.now() == bench.time.value)
    }
  }

  @Test("where the system has no thread to give, each event asks")
  func withoutThread() {
    let bench = Bench(hasThreads: false)
    for event in 1...1_000 {
      bench.advance(by: 2)
      #expect(bench.now() == bench.time.value)
      #expect(bench.questions.value == event)
    }
    #expect(bench.starts.value > 0)
  }

  @Test("a clock that goes back, or is 0, leaves the times where they are", arguments: 0..<4)
  func backwards(_ seed: Int) {
    var numbers = SplitMix(seed: UInt64(seed))
    let bench = Bench()
    var isTicking = false
    var millisecond = 0
    var last: Int64 = 0
    for step in 0..<rounds(100_000) {
      switch Int.random(in: 0..<20, using: &numbers) {
      case 0: bench.time.value = Int64.random(in: -5...5, using: &numbers)
      case 1: bench.advance(by: -Int64.random(in: 0...90, using: &numbers) * Self.millisecond)
      case 2, 3: bench.advance(by: Int64.random(in: 0...100, using: &numbers) * Self.millisecond)
      case 4, 5:
        if isTicking {
          millisecond += 1
          isTicking = bench.clock.tick(millisecond)
        }
      default:
        let starts = bench.starts.value
        let now = bench.now()
        if now < last || now <= 0 { Issue.record("step \(step): \(now) after \(last)") }
        last = now
        if bench.starts.value > starts {
          #expect(!isTicking, "step \(step): a second thread")
          (isTicking, millisecond) = (true, 0)
        }
      }
    }
  }

  @Test("a thread that was stopped between asking and writing does not turn the time back")
  func stopped() {
    let time = Box<Int64>(10)
    let inner = Box<CachedClock>()
    let clock = CachedClock {
      guard let clock = inner.take() else { return time.value ?? 0 }
      // The system has answered. Before the answer is written, others read.
      for instant in [2_000, 4_000] as [Int64] {
        time.value = instant
        _ = clock.read()
      }
      return 10
    } start: { _ in
      true
    }
    inner.value = clock
    time.value = 5_000
    #expect(clock.read() >= 4_000)
    #expect(clock.read() >= 4_000)
  }

  @Test("reads of many threads do not go back while the clock begins and ends to tick")
  func threads() {
    let source = Counter()
    let clock = CachedClock { Int64(source.increment(by: 2)) }
    Threads.run(count: 4) { _ in
      var last: Int64 = 0
      for _ in 0..<rounds(200_000) {
        let time = clock.time
        let now = time > 0 ? time : clock.read()
        if now < last { Issue.record("\(now) after \(last)") }
        last = now
      }
    }
  }

  @Test("real times of a recording do not go back, and another time is the scheduler's")
  func clocks() {
    for scheduler in [.suspending, .continuous] as [any Scheduler] {
      let clock = TapeClock(scheduler)
      let times = (0..<rounds(10_000)).map { _ in clock.now }
      #expect(times == times.sorted())
      #expect(clock.isReal && clock.exactNow >= times.last ?? 0)
    }
    let time = VirtualScheduler()
    let clock = TapeClock(time)
    time.advance(by: .milliseconds(3))
    #expect(clock.now == 3_000_000 && clock.exactNow == 3_000_000 && !clock.isReal)
  }
}
