import Aggregate
import TestSupport
import Testing

/// Issue 27, "State and time", 10.
@Suite("Windows with a resolution, and with weights")
struct SlottedWindowTests {
  @Test("VAL-08: a window with a resolution keeps its values for at most one slot longer, in random programs")
  func slots() {
    for seed in 0..<UInt64(rounds(10_000)) {
      var random = SplitMix(seed: seed)
      let slotCount = Int.random(in: 1...6, using: &random)
      let slot = Int.random(in: 1...5, using: &random)
      let length = slotCount * slot
      var window = RollingWindow<Double>(over: .seconds(length), in: slotCount)
      // What a window of slots is, told in another way: a list of slots, each with its values.
      var reference: [(end: Int, values: [Double])] = []
      var now = 0
      for _ in 0..<80 {
        now += Int.random(in: 0...3, using: &random)
        let value = Double(Int.random(in: -50...50, using: &random))
        if Int.random(in: 0..<4, using: &random) == 0 {
          window.advance(to: .seconds(now))
        } else {
          window.insert(value, at: .seconds(now))
          if let last = reference.last, now < last.end {
            reference[reference.count - 1].values.append(value)
          } else {
            reference.append((now + slot, [value]))
          }
        }
        reference.removeAll { now - $0.end >= length }
        let values = reference.flatMap(\.values)
        #expect(reference.count <= slotCount + 1)
        #expect(window.count == values.count, "seed \(seed)")
        #expect(window.min == values.min() && window.max == values.max(), "seed \(seed)")
        #expect(window.sum == values.reduce(0, +), "seed \(seed)")
        #expect(window.mean == (values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)), "seed \(seed)")
      }
    }
  }

  @Test("VAL-09: a weighted mean is of the values that are in the window, and what is not a number is not taken in")
  func weights() {
    var window = WeightedWindow<Double>(over: .seconds(10))
    #expect(window.mean == nil)
    window.insert(10, weight: 1, at: .seconds(0))
    window.insert(20, weight: 3, at: .seconds(5))
    window.insert(.nan, weight: 3, at: .seconds(5))
    window.insert(7, weight: -1, at: .seconds(5))
    window.insert(7, weight: .infinity, at: .seconds(5))
    #expect(window.mean == 17.5 && window.weights.sum == 4 && window.weights.count == 2)
    window.advance(to: .seconds(10))
    #expect(window.mean == 20 && window.weights.count == 1)
    window.insert(1, weight: 0, at: .seconds(15))
    #expect(window.mean == nil, "all weights are zero")
  }
}
