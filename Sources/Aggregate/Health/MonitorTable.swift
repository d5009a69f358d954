/// The monitors of the named sources, in the order in which their names came.
///
/// ```
///   places   "gps" ─▶ 0   "log" ─▶ 2
///   monitors [ ●   –   ● ]             – was removed
/// ```
///
/// Invariants: `places` has the index of each monitor under its name; no more than half of the monitors are gaps, but
/// for a few.
///
/// - Complexity: adding, removing and finding are O(1) amortised.
struct MonitorTable: Sendable {
  private var monitors: [HealthMonitor?] = []
  private var places: [String: Int] = [:]

  /// All monitors, in their order.
  var all: [HealthMonitor] { monitors.compactMap { $0 } }

  /// The health of all, in their order.
  var healths: [SourceHealth] {
    var healths: [SourceHealth] = []
    healths.reserveCapacity(places.count)
    for monitor in monitors {
      if let monitor { healths.append(monitor.health) }
    }
    return healths
  }

  /// The monitor of a name.
  subscript(name: String) -> HealthMonitor? { places[name].flatMap { monitors[$0] } }

  /// Adds a monitor behind all others. If its name is there already, it takes the place of that monitor.
  mutating func put(_ monitor: HealthMonitor) {
    if let place = places[monitor.name] {
      monitors[place] = monitor
    } else {
      places[monitor.name] = monitors.count
      monitors.append(monitor)
    }
  }

  /// Takes a monitor out, unless another one has its place by now.
  mutating func remove(_ monitor: HealthMonitor) {
    guard let place = places[monitor.name], monitors[place] === monitor else { return }
    places[monitor.name] = nil
    monitors[place] = nil
    if monitors.count > 8, monitors.count > 2 * places.count { closeUp() }
  }

  private mutating func closeUp() {
    monitors.removeAll { $0 == nil }
    for (place, monitor) in monitors.enumerated() {
      if let monitor { places[monitor.name] = place }
    }
    assert(monitors.count == places.count, "A table of monitors has lost one.")
  }
}
