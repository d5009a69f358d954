import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPSupport

@Suite("The word that tells recorders the time")
struct TickWordTests {
  /// A word whose thread is this test.
  private func word(_ source: @escaping @Sendable () -> Int64) -> TickWord { TickWord(source) { _ in true } }

  @Test("events have the time of the word, and the first one after a pause asks")
  func ticking() {
    let time = Box<Int64>(10)
    let word = word { time.value ?? 0 }
    #expect(word.time == 0)
    #expect(word.wake() == 10)
    time.value = 20
    // Nothing has written it since.
    #expect(word.time == 10 && word.wake() == 10)
    word.advance()
    #expect(word.time == 20)
    word.stop()
    #expect(word.time < 0)
    time.value = 35
    #expect(word.wake() == 35)
  }

  @Test("a clock that goes back, or is 0, leaves the times where they are")
  func backwards() {
    let time = Box<Int64>(0)
    let word = word { time.value ?? 0 }
    #expect(word.wake() == 1)
    for (now, expected) in [(50, 50), (40, 50), (-3, 50), (60, 60)] as [(Int64, Int64)] {
      time.value = now
      word.advance()
      #expect(word.time == expected)
    }
    word.stop()
    time.value = 55
    #expect(word.wake() == 60)
  }

  @Test("a thread that was stopped between asking and writing does not turn the time back")
  func stopped() {
    let time = Box<Int64>(10)
    let inner = Box<TickWord>()
    let word = word {
      guard let word = inner.take() else { return time.value ?? 0 }
      // The system has answered. Before the answer is written, the word is used and rests again, twice.
      for instant in [2_000, 4_000] as [Int64] {
        time.value = instant
        _ = word.wake()
        word.advance()
        word.stop()
      }
      return 10
    }
    inner.value = word
    time.value = 5_000
    #expect(word.wake() >= 4_000)
    #expect(word.time >= 4_000)
  }

  @Test("where the system has no thread to give, each event asks")
  func withoutThread() {
    let time = Box<Int64>(10)
    let word = TickWord {
      time.value ?? 0
    } start: { _ in
      false
    }
    #expect(word.wake() == 10)
    time.value = 11
    #expect(word.time < 0 && word.wake() == 11)
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
