import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

/// Random events, recorders that come and go, and a plain list of what has happened.
@Suite("The tape: random programs")
struct RandomTapeTests {
  @Test("REC-01: a tape holds exactly the newest events and the state before them; state changed in place")
  func inPlace() { for seed in 0..<UInt64(rounds(20_000)) { run(HashedTally.self, seed: seed) } }

  @Test("REC-01: the same for a state that refuses events")
  func refusing() { for seed in 0..<UInt64(rounds(20_000)) { run(PickyTally.self, seed: seed) } }

  private func run<State: RandomState>(_: State.Type, seed: UInt64) {
    var generator = SplitMix(seed: seed)
    let aggregator = Aggregator(initial: State())
    var model = Model<State>()
    var recorders: [TapeRecorder<State>] = []
    for _ in 0..<Int.random(in: 1...60, using: &generator) {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        let count = [0, 1, 2, 3, 4, 5, 16].randomElement(using: &generator) ?? 1
        let keepsBase = Bool.random(using: &generator)
        recorders.append(TapeRecorder(aggregator, last: count, keepingBase: keepsBase))
        model.reserve(count, keepingBase: keepsBase)
      case 1:
        if let index = recorders.indices.randomElement(using: &generator) { recorders.remove(at: index) }
        if recorders.isEmpty { model.end() }
      case 2:
        // Behind the base, what a recording has shared is copied.
        withExtendedLifetime(recorders.first?.recording) { send(1, &generator) }
      default: send(Int.random(in: 1...4, using: &generator), &generator)
      }
      guard let recording = recorders.last?.recording else { continue }
      if let difference = model.difference(to: recording, state: aggregator.snapshot) {
        Issue.record("seed \(seed): \(difference)")
        return
      }
    }

    func send(_ count: Int, _ generator: inout SplitMix) {
      for _ in 0..<count {
        let event = Int.random(in: 0..<1_000, using: &generator)
        aggregator.send(event)
        model.note(event)
      }
    }
  }
}

/// What a tape must have: all events since it began, as a list.
private struct Model<State: RandomState> {
  private var state = State()
  /// All since the recording began, with the state before each.
  private var all: [(event: Int, before: State)] = []
  private var newest = 0
  private var capacity: Int?
  /// The first of `all` that is on the tape if none has fallen off.
  private var first = 0
  private var hasBase = false
  /// The number of those that have fallen off, which do not come back when the tape grows.
  private var lost = 0

  mutating func reserve(_ count: Int, keepingBase: Bool) {
    if capacity == nil || keepingBase && !hasBase {
      first = all.count
      lost = first
      hasBase = keepingBase
    }
    capacity = max(capacity ?? 1, count, 1)
  }

  mutating func end() {
    capacity = nil
    all = []
    newest = 0
    (first, lost, hasBase) = (0, 0, false)
  }

  mutating func note(_ event: Int) {
    let before = state
    state.change(by: event)
    guard let capacity else { return }
    newest += 1
    all.append((event, before))
    lost = max(lost, all.count - capacity)
  }

  func difference(to recording: Recording<State>, state present: State) -> String? {
    let kept = all[lost...]
    if recording.entries.map(\.event) != kept.map(\.event) { return "the events differ" }
    if recording.entries.map(\.number) != Array((newest - kept.count + 1)..<(newest + 1)) {
      return "the numbers differ"
    }
    if recording.state != state || present != state { return "the states differ" }
    if hasBase, recording.initial != (kept.first?.before ?? state) { return "the initial state differs" }
    if !hasBase, !kept.isEmpty, recording.initial != nil { return "there is an initial state" }
    if hasBase, !recording.isReproduced { return "it is not reproduced" }
    return nil
  }
}

private protocol RandomState: AggregateState, Equatable where Event == Int {
  init()
}

extension RandomState {
  mutating func change(by event: Int) {
    var changed = self
    guard (try? changed.apply(event)) != nil else { return }
    self = changed
  }
}

/// Depends on the order of all events.
private struct HashedTally: RandomState {
  var hash = 0
  var newest: [Int] = []

  mutating func apply(_ event: Int) {
    hash = hash &* 31 &+ event
    newest.append(event)
    if newest.count > 3 { newest.removeFirst() }
  }
}

/// Refuses one event in three, half-way through.
private struct PickyTally: RandomState {
  struct Refusal: Error {}

  var hash = 0
  var events: [Int] = []

  mutating func apply(_ event: Int) throws(Refusal) {
    events.append(event)
    hash = hash &* 31 &+ event
    if event % 3 == 0 { throw Refusal() }
  }
}
