import RASPTesting
import Streams
import TestSupport
import Testing

/// Values on one thread, time on another.
@Suite("Operators that know time, on threads")
struct TimedRaceTests {
  @Test("values and timers never overlap, keep their order, and the end is not lost", arguments: TimedOperator.allCases)
  func sendAgainstTime(timed: TimedOperator) async {
    for _ in 0..<rounds(3_000) {
      let time = VirtualScheduler()
      let subject = Subject<Int, MarbleFailure>()
      let inside = Lock(0)
      let overlaps = Lock(0)
      let recorder = Recorder(timed.apply(to: subject.observable, .milliseconds(5), on: time)) { _ in
        let others = inside.withLock { count in
          defer { count += 1 }
          return count
        }
        if others > 0 { overlaps.withLock { $0 += 1 } }
        inside.withLock { $0 -= 1 }
      }
      await Threads.run(
        {
          for value in 0..<100 { subject.send(value) }
          subject.finish()
        },
        { for _ in 0..<100 { time.advance(by: .milliseconds(1)) } }
      )
      time.run()
      #expect(overlaps.withLock { $0 } == 0)
      #expect(recorder.ends.count == 1)
      #expect(recorder.values == recorder.values.sorted())
      if TimedOperator.keepingAll.contains(timed) { #expect(recorder.values == Array(0..<100)) }
      if TimedOperator.keepingTheLast.contains(timed) { #expect(recorder.values.last == 99) }
      if timed != .timeout { #expect(recorder.end == .finished) }
      #expect(time.pending == [])
    }
  }

  @Test("two senders and time: one order, one end", arguments: TimedOperator.allCases)
  func twoSenders(timed: TimedOperator) async {
    for _ in 0..<rounds(3_000) {
      let time = VirtualScheduler()
      let first = Subject<Int, MarbleFailure>()
      let second = Subject<Int, MarbleFailure>()
      let merged = Observable.merge(first.observable, second.observable)
      let recorder = Recorder(timed.apply(to: merged, .milliseconds(5), on: time))
      await Threads.run(
        {
          for value in 0..<50 { first.send(value) }
          first.finish()
        },
        {
          for value in 100..<150 { second.send(value) }
          second.finish()
        },
        { for _ in 0..<50 { time.advance(by: .milliseconds(1)) } }
      )
      time.run()
      #expect(recorder.ends.count == 1)
      let low = recorder.values.filter { $0 < 100 }
      let high = recorder.values.filter { $0 >= 100 }
      #expect(low == low.sorted() && high == high.sorted())
      if TimedOperator.keepingAll.contains(timed) { #expect(low.count == 50 && high.count == 50) }
      if TimedOperator.keepingTheLast.contains(timed) {
        #expect(recorder.values.last == 49 || recorder.values.last == 149)
      }
    }
  }

  @Test("once cancel has returned, neither a value nor a timer gets through", arguments: TimedOperator.allCases)
  func cancelAgainstTime(timed: TimedOperator) async {
    for _ in 0..<rounds(3_000) {
      let time = VirtualScheduler()
      let subject = Subject<Int, MarbleFailure>()
      let recorder = Recorder(timed.apply(to: subject.observable, .milliseconds(5), on: time))
      let atCancel = Lock(0)
      await Threads.run(
        { for value in 0..<50 { subject.send(value) } },
        { for _ in 0..<50 { time.advance(by: .milliseconds(1)) } },
        {
          recorder.cancel()
          atCancel.withLock { $0 = recorder.records.count }
        }
      )
      let afterRace = recorder.records.count
      // One callback may have been under way.
      #expect(afterRace <= atCancel.withLock { $0 } + 1)
      subject.send(1)
      time.run()
      #expect(recorder.records.count == afterRace)
      #expect(time.pending == [])
    }
  }
}
