import Aggregate

/// What the keys do to a dashboard: each key becomes events of the report, or something for the scenario to do.
struct DashboardKeys: Sendable {
  let controls: DashboardControls
  let report: Aggregator<Report>

  func press(_ key: TerminalKey) {
    let dashboard = report.snapshot.dashboard
    switch key {
    case .character("?"): report.send(.help)
    case .escape where dashboard.isHelpShown: report.send(.help)
    case .character("q"), .escape, .end: controls.ends.send(())
    case .character(" "): report.send(.past(dashboard.past == nil ? past(at: dashboard.now) : nil))
    case .left:
      // What is older than the run or the recording stays unseen.
      let time = max(dashboard.startedAt ?? dashboard.now, (dashboard.past?.time ?? dashboard.now) - .seconds(1))
      if let past = past(at: time) { report.send(.past(past)) }
    case .right: report.send(.past(forward(from: dashboard)))
    case .character("w"): report.send(.message(DashboardMessage(controls.page())))
    default:
      if let message = controls.press(key) { report.send(.message(message)) }
    }
  }

  /// The present follows the newest moment.
  private func forward(from dashboard: Dashboard) -> Dashboard.Past? {
    guard let past = dashboard.past, past.time + .seconds(1) < dashboard.now else { return nil }
    return self.past(at: past.time + .seconds(1))
  }

  private func past(at time: Duration) -> Dashboard.Past? {
    controls.past(time).map { Dashboard.Past(time: time, texts: $0) }
  }
}
