import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

@Suite("A recording, as a value")
struct RecordingTests {
  private let time = VirtualScheduler()

  @Test("REC-01: a recording has the newest events with their numbers and times, and the state before them")
  func entries() {
    let tally = Aggregator(initial: Tally(count: 1))
    tally.send(.add(1))
    let recorder = TapeRecorder(tally, as: "tally", last: 2, on: time)
    for amount in 10..<14 {
      tally.send(.add(amount))
      time.advance(by: .seconds(1))
    }

    let recording = recorder.recording
    #expect(recording.name == "tally")
    #expect(recording.initial == Tally(count: 2 + 10 + 11))
    #expect(recording.entries.map(\.number) == [3, 4])
    #expect(recording.entries.map(\.event) == [.add(12), .add(13)])
    #expect(recording.entries.map(\.time) == [.seconds(2), .seconds(3)])
    #expect(recording.entries.map(\.cause) == [.unknown, .unknown])
    #expect(recording.state == tally.snapshot)
    #expect(recording[3]?.event == .add(12))
    #expect(recording[2] == nil && recording[5] == nil)
    #expect(recording.isReproduced)
  }

  @Test("the state before and after each event; none of an event that is not there")
  func states() {
    let account = Aggregator(initial: Account())
    let recorder = TapeRecorder(account)
    for amount in [5, -9, 2] { account.send(amount) }

    let recording = recorder.recording
    #expect((1...3).map { recording.state(before: $0)?.balance } == [0, 5, 5])
    #expect((1...3).map { recording.state(after: $0)?.balance } == [5, 5, 7])
    #expect(recording.state(before: 0) == nil && recording.state(after: 4) == nil)

    let steps = Array(recording.steps)
    #expect(steps.map(\.entry.number) == [1, 2, 3])
    #expect(steps.map(\.before.bookings) == [[], [5], [5]])
    #expect(steps.map(\.after.bookings) == [[5], [5], [5, 2]])
    #expect(steps.map(\.refusal) == [nil, .overdrawn(by: 4), nil])
  }

  @Test("a replay folds in place: nothing is copied but what the recording itself keeps")
  func replay() {
    let copies = Counter()
    let probe = Aggregator(initial: ProbeState(probe: CopyProbe(copies: copies)))
    let recorder = TapeRecorder(probe)
    for _ in 0..<10 { probe.send(()) }

    let recording = recorder.recording
    let before = copies.value
    var numbers: [Int] = []
    recording.replay { _, state, _ in numbers.append(state.probe.number) }
    #expect(numbers == Array(1...10))
    #expect(copies.value - before == 1)
    #expect(recording.steps.reduce(0) { $0 + $1.after.probe.number - $1.before.probe.number } == 10)
    #expect(copies.value - before == 11)
  }

  @Test("REC-02: a part by time begins with the state of that time, and says when the tape was too short")
  func trimming() {
    let tally = Aggregator(initial: Tally())
    let recorder = TapeRecorder(tally, last: 4, on: time)
    for _ in 0..<3 {
      time.advance(by: .seconds(1))
      tally.send(.add(1))
    }
    time.advance(by: .seconds(1))

    let whole = recorder.recording
    #expect(whole.start == .zero && whole.end == .seconds(4) && whole.duration == .seconds(4))
    let newest = whole.last(.seconds(2))
    #expect(newest.initial == Tally(count: 1))
    #expect(newest.entries.map(\.number) == [2, 3])
    #expect(newest.duration == .seconds(2))
    #expect(newest.isReproduced)
    #expect(whole.last(.seconds(100)).entries.count == 3)
    #expect(whole.last(.seconds(100)).duration == .seconds(4))
    #expect(whole.last(.seconds(-1)).entries.isEmpty)
    #expect(whole.suffix(from: .seconds(9)).entries.isEmpty)
    #expect(whole.suffix(from: .seconds(-9)).start == .zero)
    #expect(whole.suffix(from: .seconds(9)).isReproduced)

    for _ in 0..<3 { tally.send(.add(1)) }
    #expect(recorder.recording.start == .seconds(3))
    #expect(recorder.recording.last(.seconds(2)).duration == .seconds(1), "two events of this time have fallen off")
  }

  @Test("without a base there are no states but the present one")
  func withoutBase() {
    let tally = Aggregator(initial: Tally())
    let recorder = TapeRecorder(tally, keepingBase: false)
    #expect(recorder.recording.initial == Tally())
    tally.send(.add(1))

    let recording = recorder.recording
    #expect(recording.initial == nil)
    #expect(recording.state == Tally(count: 1))
    #expect(recording.entries.count == 1)
    #expect(recording.state(before: 1) == nil && recording.state(after: 1) == nil)
    #expect(Array(recording.steps).isEmpty)
    #expect(!recording.isReproduced)
  }

  @Test("a base that is asked for later begins then, and what was recorded before is given up")
  func laterBase() {
    let tally = Aggregator(initial: Tally())
    let first = TapeRecorder(tally, last: 8, keepingBase: false, on: time)
    tally.send(.add(1))
    time.advance(by: .seconds(1))
    let second = TapeRecorder(tally, last: 2, on: time)
    tally.send(.add(2))

    #expect(first.recording.entries.map(\.number) == [2])
    #expect(second.recording.initial == Tally(count: 1))
    #expect(second.recording.start == .seconds(1))
    #expect(second.recording.isReproduced)
  }

  @Test("NaN does not make a recording that is not reproduced")
  func notANumber() {
    let recording = Recording<Measured>(
      name: "a",
      initial: Measured(),
      entries: [.init(number: 1, event: .nan)],
      state: Measured(value: .nan)
    )
    #expect(recording.isReproduced)
  }

  @Test("REC-03: a state that holds NaN, also in a collection, is reproduced, and its apply is not found to be impure")
  func notANumberInside() {
    let soundings = Aggregator(initial: Soundings())
    let diagnostics = Recorder(soundings.diagnostics)
    let recorder = TapeRecorder(soundings)
    for depth in [1, .nan, 3] { soundings.send(depth) }
    let recording = recorder.recording
    #expect(recording.isReproduced)
    #expect(diagnostics.values == [])
    let wrong = Recording(
      name: "a",
      initial: Soundings(),
      entries: recording.entries,
      state: Soundings(depths: [1, .nan, 4], marks: recording.state.marks)
    )
    #expect(!wrong.isReproduced)
  }

  @Test("REC-03: an apply that is not pure is found when a recording is taken, in a debug build")
  func impureApply() {
    let drawn = Counter()
    let state = Aggregator(initial: Drawing(drawn))
    let diagnostics = Recorder(state.diagnostics)
    let recorder = TapeRecorder(state)
    state.send(())
    #expect(!recorder.recording.isReproduced)
    #if DEBUG
      #expect(diagnostics.values == [.impureApply])
    #else
      #expect(diagnostics.values == [])
    #endif
  }

  @Test("an aggregator that has ended, or is released first, can still be looked at")
  func ended() {
    var tally: Aggregator? = Aggregator(initial: Tally())
    let recorder = tally.map { TapeRecorder($0) }
    tally?.send(.add(1))
    tally?.finish()
    let late = tally.map { TapeRecorder($0) }
    tally = nil
    #expect(recorder?.recording.entries.count == 1)
    #expect(recorder?.recording.isReproduced == true)
    #expect(late?.recording.state == Tally(count: 1))
    #expect(late?.recording.isReproduced == true)
  }

  @Test("AGG-31: a transition tells its cause, on a recorded aggregator and on another one")
  func transitionCause() {
    let (first, second, third) = (
      Aggregator(initial: Tally()), Aggregator(initial: Tally()), Aggregator(initial: Tally())
    )
    let recorders = [TapeRecorder(first), TapeRecorder(second)]
    let causes = [second, third].map { tally in
      let log = Log<Cause>()
      return (log, tally.transitions(of: \.count).subscribe { log.note($0.cause) })
    }
    let tokens = [second, third].map { tally in
      first.events.subscribe { tally.send($0) }
    }
    first.send(.add(1))
    second.send(.add(2))

    let cause = Cause(lane: recorders[0].lane, number: 1)
    #expect(causes.map(\.0.entries) == [[cause, .unknown], [cause]])
    withExtendedLifetime((tokens, causes)) {}
  }
}

/// Changes something that is copied on write.
private struct ProbeState: AggregateState {
  var probe: CopyProbe

  mutating func apply(_ event: Void) { probe.increment() }
}

private struct Measured: AggregateState, Equatable {
  var value = 0.0

  mutating func apply(_ event: Double) { value = event }
}

private struct Soundings: AggregateState, Equatable {
  var depths: [Double] = []
  var marks: [String: Measured] = [:]

  mutating func apply(_ depth: Double) {
    depths.append(depth)
    marks["\(depths.count)"] = Measured(value: depth)
  }
}

/// Depends on something outside.
private struct Drawing: AggregateState, Equatable {
  let counter: Counter
  var value = 0

  init(_ counter: Counter) { self.counter = counter }

  mutating func apply(_ event: Void) { value = counter.increment() }

  static func == (left: Drawing, right: Drawing) -> Bool { left.value == right.value }
}
