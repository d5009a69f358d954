import RASPValues
import TestSupport
import Testing

@Suite("RollingWindow")
struct RollingWindowTests {
  @Test("VAL-01: a value leaves the window when it is as old as the window is long, and time comes from the events")
  func ages() {
    var window = RollingWindow<Double>(over: .seconds(10))
    #expect(window.min == nil && window.max == nil && window.mean == nil && window.isEmpty)
    window.insert(3, at: .seconds(0))
    window.insert(9, at: .seconds(4))
    #expect(window.min == 3 && window.max == 9 && window.mean == 6 && window.count == 2)
    window.advance(to: .milliseconds(9_999))
    #expect(window.count == 2)
    window.advance(to: .seconds(10))
    #expect(window.min == 9 && window.count == 1)
    window.insert(1, at: .seconds(2))
    #expect(window.now == .seconds(10), "time does not go back")
    window.advance(to: .milliseconds(19_999))
    #expect(window.min == 1 && window.count == 1)
  }

  @Test("VAL-01: what is no number is not taken in, and infinity leaves no trace when it has left")
  func oddValues() {
    var window = RollingWindow<Double>(over: .seconds(2))
    window.insert(.nan, at: .zero)
    #expect(window.isEmpty)
    window.insert(.infinity, at: .zero)
    window.insert(-.infinity, at: .zero)
    window.insert(1, at: .seconds(1))
    window.advance(to: .seconds(2))
    #expect(window.min == 1 && window.max == 1 && window.mean == 1)
    var empty = RollingWindow<Double>(over: .seconds(-1))
    empty.insert(1, at: .zero)
    #expect(empty.isEmpty)
  }

  @Test("VAL-02: a long window is as a list, and copies of it stay as they were, in random programs")
  func copies() {
    for seed in 0..<UInt64(rounds(2_000)) {
      var random = SplitMix(seed: seed)
      let length = Int.random(in: 1...150, using: &random)
      var window = RollingWindow<Double>(over: .seconds(length))
      var reference: [(instant: Int, value: Double)] = []
      var kept: [(window: RollingWindow<Double>, values: [Double])] = []
      var now = 0
      for _ in 0..<400 {
        now += Int.random(in: 0...1, using: &random)
        let value = Double(Int.random(in: -50...50, using: &random))
        window.insert(value, at: .seconds(now))
        reference.append((now, value))
        reference.removeAll { now - $0.instant >= length }
        if Int.random(in: 0..<8, using: &random) == 0 { kept.append((window, reference.map(\.value))) }
      }
      kept.append((window, reference.map(\.value)))
      for (window, values) in kept {
        #expect(window.count == values.count, "seed \(seed)")
        #expect(window.min == values.min() && window.max == values.max(), "seed \(seed)")
        #expect(window.mean == values.reduce(0, +) / Double(values.count), "seed \(seed)")
      }
    }
  }

  @Test("VAL-02: the sum of a window through which millions of values go is as that of the values that are in it")
  func rounding() {
    var window = RollingWindow<Double>(over: .seconds(100))
    var random = SplitMix(seed: 1)
    var values: [Double] = []
    for second in 0..<rounds(100_000) {
      values.append(Double.random(in: 0...1e9, using: &random) / 3)
      window.insert(values[second], at: .seconds(second))
      let sum = values.suffix(100).reduce(0, +)
      #expect(abs(window.sum - sum) <= sum * 1e-12)
    }
  }

  @Test("VAL-02: a large value, and a sum that is too large, leave nothing behind")
  func glitch() {
    var window = RollingWindow<Double>(over: .seconds(10))
    window.insert(1e17, at: .zero)
    for second in 1...30 {
      window.insert(1, at: .seconds(second))
      if second >= 10 { #expect(window.mean == 1) }
    }
    for (value, second) in [(Double.greatestFiniteMagnitude, 31), (.greatestFiniteMagnitude, 32), (.infinity, 33)] {
      window.insert(value, at: .seconds(second))
    }
    #expect(window.sum == .infinity)
    window.insert(2, at: .seconds(42))
    #expect(window.sum == .infinity)
    window.insert(3, at: .seconds(43))
    #expect(window.sum == 5 && window.mean == 2.5)
  }

  @Test("VAL-02: a window is as a list that is searched anew each time, in random programs")
  func randomPrograms() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      let length = Int.random(in: 1...8, using: &random)
      var window = RollingWindow<Double>(over: .seconds(length))
      var reference: [(instant: Int, value: Double)] = []
      var now: Int?
      for _ in 0..<40 {
        let instant = max(0, (now ?? 0) + Int.random(in: -1...3, using: &random))
        now = max(now ?? instant, instant)
        guard let now else { return }
        if Int.random(in: 0..<4, using: &random) > 0 {
          // Whole numbers, so that sums are exact in any order.
          let value = Double(Int.random(in: -50...50, using: &random))
          window.insert(value, at: .seconds(instant))
          reference.append((now, value))
        } else {
          window.advance(to: .seconds(instant))
        }
        reference.removeAll { now - $0.instant >= length }
        let values = reference.map(\.value)
        #expect(window.count == values.count, "seed \(seed)")
        #expect(window.min == values.min(), "seed \(seed)")
        #expect(window.max == values.max(), "seed \(seed)")
        #expect(window.mean == (values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)), "seed \(seed)")
        var same = RollingWindow<Double>(over: .seconds(length))
        for reading in reference { same.insert(reading.value, at: .seconds(reading.instant)) }
        same.advance(to: .seconds(now))
        #expect(window == same && window.hashValue == same.hashValue, "seed \(seed)")
      }
    }
  }
}
