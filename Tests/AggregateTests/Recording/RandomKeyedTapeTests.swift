import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// Random events, insertions, removals and evictions of rows, and a plain list of what has happened.
@Suite("The tape of a keyed aggregator: random programs")
struct RandomKeyedTapeTests {
  @Test("REC-10: a tape holds exactly the newest steps and the rows before them that they concern", arguments: [1, 3])
  func inPlace(shards: Int) {
    for seed in 0..<UInt64(rounds(10_000)) { run(RowTally.self, shards: shards, seed: seed) }
  }

  @Test("REC-10: the same for rows that refuse events", arguments: [1, 3])
  func refusing(shards: Int) {
    for seed in 0..<UInt64(rounds(10_000)) { run(PickyRow.self, shards: shards, seed: seed) }
  }

  private func run<Row: RandomRow>(_: Row.Type, shards: Int, seed: UInt64) {
    var generator = SplitMix(seed: seed)
    let rows = KeyedAggregator(
      shards: shards,
      by: { (event: Placed) in event.row },
      initial: { Row(hash: $0) },
      evicting: [.never, .beyond(4), .beyond(2)].randomElement(using: &generator) ?? .never
    )
    let model = Log<ModelStep<Row>>()
    var present: [Int: Row] = [:]
    var count: Int?
    var begin = 0
    let keepsBase = Bool.random(using: &generator)
    var recorder: TapeRecorder<RecordedRows<Int, Row>>?
    // What the eviction chooses is not modelled; that it is on the tape is.
    let removals = rows.changes.subscribe { change in
      if case .removed(let key, let last, let reason) = change {
        model.note(ModelStep(key: key, change: .removed(reason), before: last))
      }
    }
    for _ in 0..<Int.random(in: 1...60, using: &generator) {
      let key = Int.random(in: 0..<6, using: &generator)
      let before = present[key]
      switch Int.random(in: 0..<12, using: &generator) {
      case 0 where count == nil:
        let room = Int.random(in: 0...8, using: &generator)
        count = max(room, 1)
        recorder = TapeRecorder(rows, last: room, keepingBase: keepsBase)
        begin = model.count
      case 1: rows.remove(key)
      case 2:
        model.note(ModelStep(key: key, change: .inserted(Row(hash: 7)), before: before))
        rows.insert([key: Row(hash: 7)])
      default:
        let event = Placed(row: key, value: Int.random(in: 0..<1_000, using: &generator))
        let change: RowStep<Int, Row>.Change = before == nil ? .first(event, of: Row(hash: key)) : .event(event)
        model.note(ModelStep(key: key, change: change, before: before))
        rows.send(event)
      }
      present = rows.snapshot.rows
      guard let recorder, let count else { continue }
      if let difference = difference(
        recorder.recording,
        Array(model.entries[begin...]),
        count,
        keepsBase ? present : nil
      ) {
        Issue.record("seed \(seed): \(difference)")
        return
      }
      let row = recorder.recording(of: key)
      if let now = present[key] {
        #expect(row?.state == now, "seed \(seed)")
        if keepsBase { #expect(row?.isReproduced == true, "seed \(seed)") }
      }
    }
    removals.cancel()
  }

  /// - Parameter present: all rows; `nil` if only events are kept.
  private func difference<Row>(
    _ recording: Recording<RecordedRows<Int, Row>>,
    _ all: [ModelStep<Row>],
    _ count: Int,
    _ present: [Int: Row]?
  ) -> String? {
    let kept = all.suffix(count)
    if recording.entries.map(\.number) != Array(all.count - kept.count + 1..<all.count + 1) {
      return "the numbers differ"
    }
    if recording.entries.map(\.event) != kept.map({ RowStep(key: $0.key, $0.change) }) { return "the steps differ" }
    guard let present else { return recording.initial == nil ? nil : "there are states" }
    var initial: [Int: Row?] = [:]
    for step in kept where initial[step.key] == nil { initial[step.key] = .some(step.before) }
    if recording.initial?.rows != initial.compactMapValues({ $0 }) { return "the initial rows differ" }
    if recording.state.rows != present.filter({ initial[$0.key] != nil }) { return "the rows differ" }
    return recording.isReproduced ? nil : "it is not reproduced"
  }
}

private struct ModelStep<Row: RandomRow>: Sendable {
  let key: Int
  let change: RowStep<Int, Row>.Change
  let before: Row?
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
