import Aggregate

/// Simulated sensors, which speak one after the other. Their temperatures go up and down slowly.
struct Sensors: Sendable {
  let names: [String]
  private var next = 0
  private var celsius: [Double]

  init(count: Int) {
    names = (1...max(1, count)).map { "boiler-\($0)" }
    celsius = names.map { _ in Double.random(in: 40...70) }
  }

  /// The next readings.
  mutating func readings(_ count: Int) -> [Reading] {
    (0..<count).map { _ in
      defer { next = (next + 1) % names.count }
      celsius[next] = min(99, max(10, celsius[next] + Double.random(in: -1...1)))
      return Reading(sensor: names[next], celsius: (celsius[next] * 10).rounded() / 10)
    }
  }
}
