import Aggregate
import RASPInsight
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

private struct Dose: Equatable, Sendable {
  let row: Int
  let amount: Int
}

private struct Basin: AggregateState, Equatable {
  struct Full: Error {}

  var level = 0
  var doses = 0

  mutating func apply(_ dose: Dose) throws(Full) {
    level += dose.amount
    if level > 10 { throw Full() }
    doses += 1
  }
}

private struct Gauge: AggregateState {
  var level = Double.nan

  mutating func apply(_ level: Double) { self.level = level }
}

@Suite("The transitions of a row")
struct RowTransitionTests {
  private typealias Step = RowStep<Int, Basin>

  private let basins = KeyedAggregator(by: \Dose.row, initial: { _ in Basin() })

  @Test(
    "REC-11: each change of a field of a row comes with its step, its source and its cause",
    arguments: [true, false]
  )
  func changes(isRecorded: Bool) {
    let recorder = isRecorded ? Insight(on: VirtualScheduler()).record(basins, as: "basins") : nil
    let source = Subject<Dose, Never>()
    let id = basins.add(source.observable)
    let upstream = Traced()
    let sending = upstream.aggregator.events.subscribe { basins.send(Dose(row: 1, amount: $0.utf8.count)) }
    let found = Recorder(basins[1].transitions(of: \.level))
    upstream.send("one")
    basins.send(Dose(row: 2, amount: 1))
    basins.send(Dose(row: 1, amount: 0))
    source.send(Dose(row: 1, amount: 2))
    basins.send(Dose(row: 1, amount: 9))
    basins.insert([1: Basin(level: 7)])
    basins.remove(1)

    #expect(found.values.map(\.old) == [nil, 3, 5, 7])
    #expect(found.values.map(\.new) == [3, 5, 7, nil])
    #expect(found.values.map(\.source) == [nil, id, nil, nil])
    #expect(
      found.values.map(\.event) == [
        Step(key: 1, .first(Dose(row: 1, amount: 3), of: Basin())), Step(key: 1, .event(Dose(row: 1, amount: 2))),
        Step(key: 1, .inserted(Basin(level: 7))), Step(key: 1, .removed(.removed)),
      ]
    )
    let cause = upstream.identity("one")
    #expect(cause != nil && found.values.map(\.cause) == [cause ?? .unknown, .unknown, .unknown, .unknown])
    if let recorder { #expect(recorder.recording.entries.map(\.cause).first == cause) }

    // A row that is there is no change for a newcomer.
    basins.send(Dose(row: 3, amount: 1))
    let late = Recorder(basins[3].transitions(of: { $0.level / 5 }, by: ==))
    for _ in 0..<5 { basins.send(Dose(row: 3, amount: 1)) }
    #expect(late.values.map(\.new) == [1])
    sending.cancel()
  }

  @Test("REC-11: a field that stays NaN has not changed, and small changes within a tolerance add up to one")
  func rule() {
    let gauges = KeyedAggregator(by: { (_: Double) in 1 }, initial: { _ in Gauge() })
    let level = Recorder(gauges[1].transitions(of: \.level))
    let rough = Recorder(gauges[1].transitions(of: { $0.level }, by: { abs($0 - $1) < 0.5 }))
    for value in [Double.nan, .nan, 0, 0.25, 0.5, 0.75, 1] { gauges.send(value) }
    gauges.remove(1)
    func text(_ changes: Recorder<Transition<RowStep<Int, Gauge>, Double?>, Never>) -> [String] {
      changes.values.map { [$0.old, $0.new].map { $0.map { "\($0)" } ?? "nil" }.joined(separator: " ") }
    }
    #expect(text(level) == ["nil nan", "nan 0.0", "0.0 0.25", "0.25 0.5", "0.5 0.75", "0.75 1.0", "1.0 nil"])
    // A comparison of one's own has the last word, also about NaN.
    #expect(text(rough) == ["nil nan", "nan nan", "nan 0.0", "0.0 0.5", "0.5 1.0", "1.0 nil"])
  }
}
