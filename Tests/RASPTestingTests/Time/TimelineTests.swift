import TestSupport
import Testing

@testable import RASPTesting

@Suite("Timeline")
struct TimelineTests {
  @Test(
    "Any insertions and cancellations: what is left runs by instant, then in order of insertion",
    arguments: 1...6
  )
  func model(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var timeline = Timeline()
    var model: [(due: Duration, key: Timeline.Key, number: Int)] = []
    let ran = Log<Int>()
    var expected: [Int] = []
    for number in 0..<1_500 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let due = Duration.seconds(Int.random(in: 0..<40, using: &random))
        let key = timeline.insert({ ran.note(number) }, at: due)
        model.append((max(due, timeline.now), key, number))
      case 5..<8:
        guard let index = model.indices.randomElement(using: &random) else { continue }
        #expect(timeline.cancel(model[index].key) != nil)
        #expect(timeline.cancel(model[index].key) == nil)
        model.remove(at: index)
      default:
        let next = model.min { ($0.due, $0.key.order) < ($1.due, $1.key.order) }
        let limit = Duration.seconds(Int.random(in: 0..<60, using: &random))
        let action = timeline.next(until: limit)
        if let next, next.due <= max(limit, timeline.now) {
          #expect(timeline.now == next.due)
          expected.append(next.number)
          model.removeAll { $0.key == next.key }
        } else {
          #expect(action == nil)
        }
        action?()
      }
      #expect(timeline.isEmpty == model.isEmpty)
    }
    #expect(timeline.pending == model.map(\.due).sorted())
    while let action = timeline.next(until: nil) { action() }
    expected += model.sorted { ($0.due, $0.key.order) < ($1.due, $1.key.order) }.map(\.number)
    #expect(ran.entries == expected)
    #expect(timeline.pending.isEmpty)
  }

  @Test("Cancelling thousands of actions that are never reached leaves nothing behind")
  func sweep() {
    let tracker = LifetimeTracker()
    var timeline = Timeline()
    for _ in 0..<5_000 {
      let key = timeline.insert({ [object = tracker.make()] in _ = object }, at: .seconds(1_000_000))
      _ = timeline.cancel(key)
    }
    #expect(tracker.liveCount == 0)
    #expect(timeline.isEmpty)
    let key = timeline.insert({}, at: .seconds(2))
    #expect(timeline.pending == [.seconds(2)])
    for (order, slot) in [(key.order + 1, key.slot), (key.order, key.slot + 1), (key.order - 1, key.slot)] {
      #expect(timeline.cancel(Timeline.Key(order: order, slot: slot)) == nil, "a key that was never given out, or is over")
    }
  }
}
