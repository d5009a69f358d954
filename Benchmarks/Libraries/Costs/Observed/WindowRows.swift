import Aggregate
import CostRows

/// Rolling windows. A window of so many seconds gets a value each second, so it holds so many.
let windowRows = [
  CostRow(
    "window.insert",
    "RollingWindow.insert",
    should: 150,
    count: 40_960,
    sizes: [10, 160, 2_560],
    of: "values in it"
  ) { size in
    let run = WindowRun(size)
    return { count in
      for _ in 0..<run.count(count) { run.insert() }
      precondition(run.window.count == size)
    }
  },
  CostRow(
    "window.insert.read",
    "RollingWindow.insert and min, max, mean",
    should: 150,
    count: 40_960,
    sizes: [10, 160, 2_560],
    of: "values in it"
  ) { size in
    let run = WindowRun(size)
    let sink = Sink()
    return { count in
      for _ in 0..<run.count(count) {
        run.insert()
        sink.see(Int((run.window.min ?? 0) + (run.window.max ?? 0) + (run.window.mean ?? 0)))
      }
      precondition(run.window.count == size)
    }
  },
  CostRow(
    "window.slots",
    "RollingWindow.insert, with a resolution of 16 slots",
    should: 150,
    count: 40_960,
    sizes: [160, 2_560],
    of: "values in it"
  ) { size in
    let run = WindowRun(size, slots: 16)
    return { count in
      for _ in 0..<run.count(count) { run.insert() }
      precondition(run.window.count >= size)
    }
  },
  CostRow("window.weighted", "WeightedWindow.insert, of 160 values", should: 300, count: 40_960) { _ in
    let run = WeightedRun()
    return { count in
      for _ in 0..<count { run.insert() }
      precondition(run.mean != nil)
    }
  },
  CostRow(
    "window.insert.kept",
    "RollingWindow.insert while a copy is kept",
    should: 200,
    count: 40_960,
    sizes: [10, 160, 2_560],
    of: "values in it",
    note: "a copy is made and released, for 350, and one piece of the window is copied, for 450"
  ) { size in
    let run = WindowRun(size)
    let sink = Sink()
    return { count in
      for _ in 0..<run.count(count) {
        let kept = run.window
        run.insert()
        sink.see(kept.count)
      }
    }
  },
  CostRow("window.read.max", "RollingWindow.max", should: 40) { _ in
    let run = WindowRun(160)
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(Int(run.window.max ?? 0)) }
    }
  },
  CostRow(
    "window.agg",
    "RollingWindow in an aggregator, max selected",
    should: 350,
    count: 40_960,
    sizes: [10, 160, 2_560],
    of: "values in it"
  ) { size in
    let aggregator = Aggregator(initial: WindState(size))
    let sink = Sink()
    let now = Held(0)
    let token = aggregator.select { $0.window.max }.subscribe { sink.see(Int($0 ?? 0)) }
    return { count in
      for _ in 0..<WindowRun.count(count, size) {
        now.value += 1
        aggregator.send(now.value)
      }
      withExtendedLifetime(token) {}
    }
  },
]

private struct WindState: AggregateState {
  var window: RollingWindow<Double>

  init(_ size: Int) {
    window = RollingWindow(over: .seconds(size))
  }

  mutating func apply(_ second: Int) {
    window.insert(Double(second * 31 % 17), at: .seconds(second))
  }
}

/// A full window. It is `@unchecked Sendable` because each row uses its own, on one thread.
private final class WindowRun: @unchecked Sendable {
  @exclusivity(unchecked) var window: RollingWindow<Double>
  @exclusivity(unchecked) private var now = 0
  private let size: Int

  init(_ size: Int, slots: Int? = nil) {
    self.size = size
    window = slots.map { RollingWindow(over: .seconds(size), in: $0) } ?? RollingWindow(over: .seconds(size))
    for _ in 0..<size * 2 { insert() }
  }

  /// A whole number of windows, because a window turns over once in its length.
  func count(_ count: Int) -> Int { Self.count(count, size) }

  static func count(_ count: Int, _ size: Int) -> Int { count }

  func insert() {
    now += 1
    window.insert(Double(now * 31 % 17), at: .seconds(now))
  }
}

/// Safe to share: one thread uses it.
private final class WeightedRun: @unchecked Sendable {
  @exclusivity(unchecked) private var window = WeightedWindow<Double>(over: .seconds(160))
  @exclusivity(unchecked) private var now = 0

  var mean: Double? { window.mean }

  func insert() {
    now += 1
    window.insert(Double(now * 31 % 17), weight: Double(now % 5), at: .seconds(now))
  }
}
