import RASPSupport
import Streams
import TestSupport
import Testing

@testable import RASPInsight

@Suite("Merging the lanes of a timeline")
struct MergingTests {
  @Test("REC-07: random runs, whose clocks differ: each cause before its effects, each lane in its order")
  func random() {
    for seed in 0..<UInt64(rounds(10_000)) {
      var generator = SplitMix(seed: seed)
      let laneCount = Int.random(in: 1...5, using: &generator)
      var lanes: [[Timeline.Occurrence]] = Array(repeating: [], count: laneCount)
      var happened: [Cause] = []
      for instant in 0..<Int.random(in: 0...60, using: &generator) {
        let lane = Int.random(in: 0..<laneCount, using: &generator)
        let id = Cause(lane: lane + 1, number: lanes[lane].count + 5)
        // The clock of a lane may be a little behind.
        let time = Duration.milliseconds(instant / 4 - Int.random(in: 0...1, using: &generator))
        let cause = [happened.randomElement(using: &generator), nil].randomElement(using: &generator) ?? nil
        lanes[lane].append(.init(id: id, time: time, label: "", cause: cause ?? .unknown))
        happened.append(id)
      }
      let order = merged(lanes)
      #expect(order.count == happened.count)
      var places: [Cause: Int] = [:]
      for (place, occurrence) in order.enumerated() { places[occurrence.id] = place }
      for (place, occurrence) in order.enumerated() where occurrence.cause != .unknown {
        #expect(places[occurrence.cause].map { $0 < place } == true, "seed \(seed)")
      }
      for (index, lane) in lanes.enumerated() {
        #expect(order.filter { $0.id.lane == index + 1 } == lane, "seed \(seed)")
      }
    }
  }

  @Test("causes that make a circle, or are not there, lose nothing")
  func circle() {
    let ids = [Cause(lane: 1, number: 1), Cause(lane: 2, number: 1)]
    let lanes: [[Timeline.Occurrence]] = [
      [.init(id: ids[0], time: .zero, label: "", cause: ids[1])],
      [.init(id: ids[1], time: .zero, label: "", cause: ids[0])],
      [.init(id: Cause(lane: 3, number: 1), time: .zero, label: "", cause: Cause(lane: 9, number: 9))],
    ]
    #expect(Set(merged(lanes).map(\.id)).count == 3)
  }
}
