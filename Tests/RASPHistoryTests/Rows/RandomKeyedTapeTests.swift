import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

/// Random events, insertions, removals and evictions of rows, and a plain list of what has happened.
@Suite("The tape of a keyed aggregator: random programs")
struct RandomKeyedTapeTests {
  @Test("REC-10: a tape holds exactly the newest steps and the rows before them that they concern")
  func inPlace() {
    for seed in 0..<UInt64(rounds(3_000)) { run(RowTally.self, seed: seed) }
  }

  @Test("REC-10: the same for rows that refuse events")
  func refusing() {
    for seed in 0..<UInt64(rounds(3_000)) { run(PickyRow.self, seed: seed) }
  }

  private func run<Row: RandomRow>(_: Row.Type, seed: UInt64) {
    var generator = SplitMix(seed: seed)
    let eviction: RowEviction = [.never, .beyond(4), .beyond(2)].randomElement(using: &generator) ?? .never
    let rows = KeyedAggregator(
      by: { (event: Placed) in event.row },
      initial: { Row(hash: $0) },
      options: KeyedOptions(evicting: eviction)
    )
    let reference = Reference<Row>()
    let tokens = [
      rows.events.subscribe { event in
        let identity = reference.fold(event)
        // It waits until this event is over.
        guard event.value % 5 == 0 else { return }
        reference.expect(identity)
        rows.send(Placed(row: (event.row + 1) % 6, value: event.value + 1))
      },
      // What the eviction chooses is not modelled; that it is on the tape is, and its cause.
      rows.changes.subscribe { change in
        if case .removed(let key, _, let reason) = change { reference.remove(key, reason) }
      },
    ]
    var recorder: TapeRecorder<RecordedRows<Int, Row>>?
    let keepsBase = Bool.random(using: &generator)
    for number in 1..<Int.random(in: 2...60, using: &generator) {
      let key = Int.random(in: 0..<6, using: &generator)
      let cause = Bool.random(using: &generator) ? Cause(lane: 1 << 24 - 1, number: number) : .unknown
      let value = Int.random(in: 0..<1_000, using: &generator)
      let choice = Int.random(in: 0..<12, using: &generator)
      if choice == 0, recorder == nil {
        let room = Int.random(in: 0...8, using: &generator)
        let newcomer = TapeRecorder(rows, last: room, keepingBase: keepsBase)
        reference.begin(max(room, 1), lane: newcomer.lane)
        recorder = newcomer
      }
      cause.perform {
        reference.expect(cause)
        switch choice {
        case 1: rows.remove(key)
        case 2:
          reference.put(Row(hash: value), for: key)
          rows.insert([key: Row(hash: value)])
        default: rows.send(Placed(row: key, value: value))
        }
      }
      reference.expectNothing()
      if rows.rows() != reference.present {
        Issue.record("seed \(seed): the rows differ from the reference")
        return
      }
      guard let recorder else { continue }
      if let difference = reference.difference(to: recorder.recording, keepsBase: keepsBase) {
        Issue.record("seed \(seed): \(difference)")
        return
      }
      if let now = reference.present[key] {
        let row = recorder.recording(of: key)
        #expect(row?.state == now, "seed \(seed)")
        if keepsBase { #expect(row?.isReproduced == true, "seed \(seed)") }
      }
    }
    for token in tokens { token.cancel() }
  }
}

/// All that has happened since the recording began, as a list.
private final class Reference<Row: RandomRow>: Sendable {
  private struct Step: Sendable {
    let step: RowStep<Int, Row>
    let cause: Cause
    let before: Row?
  }

  private struct Contents: Sendable {
    var present: [Int: Row] = [:]
    var steps: [Step] = []
    var count = 0
    var lane = 0
    /// The causes of what was sent and has not been folded.
    var causes: [Cause] = []
    /// The identity of the newest event.
    var newest = Cause.unknown

    mutating func note(_ key: Int, _ change: RowStep<Int, Row>.Change, _ cause: Cause) -> Cause {
      steps.append(Step(step: RowStep(key: key, change), cause: cause, before: present[key]))
      return Cause(lane: lane, number: steps.count)
    }
  }

  private let contents = Lock(Contents())

  var present: [Int: Row] { contents.withLock(\.present) }

  func begin(_ count: Int, lane: Int) {
    contents.withLock { contents in
      contents.steps = []
      contents.count = count
      contents.lane = lane
    }
  }

  func expect(_ cause: Cause) { contents.withLock { $0.causes.append(cause) } }

  func expectNothing() { contents.withLock { $0.causes = [] } }

  /// - Returns: the identity of the event; while nothing is recorded, its cause passes through.
  func fold(_ event: Placed) -> Cause {
    contents.withLock { contents in
      let cause = contents.causes.removeFirst()
      let row = contents.present[event.row]
      let change: RowStep<Int, Row>.Change = row == nil ? .first(event, of: Row(hash: event.row)) : .event(event)
      let identity = contents.note(event.row, change, cause)
      var changed = row ?? Row(hash: event.row)
      if (try? changed.apply(event)) != nil { contents.present[event.row] = changed }
      contents.newest = contents.lane == 0 ? cause : identity
      return contents.newest
    }
  }

  func put(_ row: Row, for key: Int) {
    contents.withLock { contents in
      let cause = contents.causes.removeFirst()
      let identity = contents.note(key, .inserted(row), cause)
      contents.present[key] = row
      contents.newest = contents.lane == 0 ? cause : identity
    }
  }

  func remove(_ key: Int, _ reason: RowRemoval) {
    contents.withLock { contents in
      let cause = reason == .removed ? contents.causes.removeFirst() : contents.newest
      _ = contents.note(key, .removed(reason), cause)
      contents.present[key] = nil
    }
  }

  func difference(to recording: Recording<RecordedRows<Int, Row>>, keepsBase: Bool) -> String? {
    let (all, present, count) = contents.withLock { ($0.steps, $0.present, $0.count) }
    let kept = all.suffix(count)
    if recording.entries.map(\.number) != Array(all.count - kept.count + 1..<all.count + 1) {
      return "the numbers differ"
    }
    if recording.entries.map(\.event) != kept.map(\.step) { return "the steps differ" }
    if recording.entries.map(\.cause) != kept.map(\.cause) { return "the causes differ" }
    guard keepsBase else { return recording.initial == nil ? nil : "there are states" }
    var initial: [Int: Row?] = [:]
    for step in kept where initial[step.step.key] == nil { initial[step.step.key] = .some(step.before) }
    if recording.initial?.rows != initial.compactMapValues({ $0 }) { return "the initial rows differ" }
    if recording.state.rows != present.filter({ initial[$0.key] != nil }) { return "the rows differ" }
    return recording.isReproduced ? nil : "it is not reproduced"
  }
}

private struct Placed: Equatable, Sendable {
  let row: Int
  let value: Int
}

private protocol RandomRow: AggregateState, Equatable where Event == Placed {
  init(hash: Int)
}

/// Depends on the order of its events.
private struct RowTally: RandomRow {
  var hash: Int
  var newest: [Int] = []

  init(hash: Int) { self.hash = hash }

  mutating func apply(_ event: Placed) {
    hash = hash &* 31 &+ event.value
    newest = (newest + [event.value]).suffix(3)
  }
}

/// Refuses one event in three, half-way through.
private struct PickyRow: RandomRow {
  struct Refusal: Error {}

  var hash: Int
  var values: [Int] = []

  init(hash: Int) { self.hash = hash }

  mutating func apply(_ event: Placed) throws(Refusal) {
    values.append(event.value)
    hash = hash &* 31 &+ event.value
    if event.value % 3 == 0 { throw Refusal() }
  }
}
