import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

@Suite("The tape: taken at any time", .endsInTime)
struct TapeReentrancyTests {
  @Test("REC-04: a recording is taken while a subscriber hangs, and has the event that it hangs in")
  func hangingSubscriber() async {
    let tally = Aggregator(initial: Tally())
    let recorder = TapeRecorder(tally)
    let gate = Gate(patience: longestWait)
    let token = tally.states.dropFirst(1).subscribe { _ in gate.hold() }
    let taken = Box<Recording<Tally>>()
    await Threads.run {
      tally.send(.add(1))
    } _: {
      gate.waitUntilHeld()
      tally.send(.add(2))
      taken.value = recorder.recording
      gate.open()
    }
    #expect(taken.value?.entries.map(\.event) == [.add(1)])
    #expect(taken.value?.state == Tally(count: 1))
    #expect(taken.value?.isReproduced == true)
    token.cancel()
  }

  @Test("REC-04: a recording is taken from inside a subscriber, and has the event whose round it is")
  func insideCallbacks() {
    let tally = Aggregator(initial: Tally())
    let recorder = TapeRecorder(tally)
    let counts = Log<Int>()
    let token = tally.select(\.count).subscribe { count in
      counts.note(recorder.recording.entries.count)
      if count == 1 { tally.send(.add(1)) }
    }
    tally.send(.add(1))
    #expect(counts.entries == [0, 1, 2])
    token.cancel()
  }

  @Test("REC-04: a recording from inside apply has no events, and is reported")
  func insideApply() {
    let aggregator = Aggregator(initial: Scripted())
    let diagnostics = Recorder(aggregator.diagnostics)
    let recorder = TapeRecorder(aggregator)
    let taken = Log<Int>()
    let isFirst = Counter()
    aggregator.run { _ in
      // Once: the tape folds the event again.
      if isFirst.increment() == 1 { taken.note(recorder.recording.entries.count) }
    }
    #expect(taken.entries == [0])
    #expect(diagnostics.values == [.readDuringApply])
    aggregator.run { $0.value = 1 }
    #expect(recorder.recording.entries.count == 2)
  }

  @Test("REC-04: an event that falls off the tape may send and read from its deinit", arguments: [true, false])
  func deinitOfEvent(keepingBase: Bool) {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Kept())
    let recorder = TapeRecorder(aggregator, last: 1, keepingBase: keepingBase)
    let entries = Log<Int>()
    let object = Box(
      tracker.make { [weak aggregator, weak recorder] in
        aggregator?.send(nil)
        entries.note(recorder?.recording.entries.count ?? -1)
      }
    )
    aggregator.send(object.value)
    object.take()
    aggregator.send(nil)  // the state releases it, the tape still has it
    #expect(tracker.liveCount == (keepingBase ? 1 : 0))
    aggregator.send(nil)  // the base releases it
    #expect(tracker.liveCount == 0)
    #expect(aggregator.snapshot.count == 4)
    #expect(entries.entries.count == 1)
    #expect(recorder.recording.entries.count == 1)
  }

  @Test("a recorder that is released inside a callback, or begins there, does what it would do outside")
  func insideRound() {
    let tally = Aggregator(initial: Tally())
    let recorder = Box(TapeRecorder(tally))
    let second = Box<TapeRecorder<Tally>>()
    let brief = Box<TapeRecorder<Tally>>()
    let token = tally.select(\.count).subscribe { count in
      switch count {
      case 1: recorder.take()
      case 2: second.value = TapeRecorder(tally)
      case 3:
        brief.value = TapeRecorder(tally)
        brief.take()
        second.take()
      default: break
      }
    }
    for _ in 0..<2 { tally.send(.add(1)) }
    #expect(second.value?.recording.entries.count == 0)
    #expect(second.value?.recording.initial == Tally(count: 2))
    for _ in 0..<2 { tally.send(.add(1)) }
    let last = TapeRecorder(tally)
    tally.send(.add(1))
    #expect(last.recording.entries.map(\.number) == [1])
    #expect(last.recording.isReproduced)
    token.cancel()
  }

  @Test("REC-05: nothing is left behind when the last recorder is released: no event, no state, and no lane")
  func release() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Kept())
    var recorder: TapeRecorder<Kept>? = TapeRecorder(aggregator)
    aggregator.send(tracker.make())
    aggregator.send(nil)
    #expect(recorder != nil && tracker.liveCount == 1)
    recorder = nil
    #expect(tracker.liveCount == 0)
    aggregator.send(tracker.make())
    aggregator.send(nil)
    #expect(tracker.liveCount == 0)
  }
}

/// Keeps the newest object.
private struct Kept: AggregateState {
  var object: LifetimeTracker.Object?
  var count = 0

  mutating func apply(_ event: LifetimeTracker.Object?) {
    object = event
    count += 1
  }
}
