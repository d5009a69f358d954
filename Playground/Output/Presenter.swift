import Aggregate
import Streams

/// Shows a scenario while it runs, and counts what it does.
struct Presenter: Sendable {
  /// The lines of a picture.
  typealias Picture = @Sendable (Report, TerminalSize) -> [String]

  private static let redrawPeriod: Duration = .milliseconds(100)

  let style: OutputStyle
  let output: Output
  private let report: Aggregator<Report>
  private let scheduler: any Scheduler
  private let controls: DashboardControls?
  private let screen: Screen
  private let jobControl: JobControl?
  private let subscriptions = SubscriptionBag()

  /// - Parameters:
  ///   - controls: what the dashboard shows beside the fields, and what its keys do.
  ///   - picture: the picture of a scenario that has one of its own, and keys of its own.
  init(
    _ report: Report,
    style: OutputStyle,
    output: Output,
    scheduler: any Scheduler = .continuous,
    controls: DashboardControls? = nil,
    picture: Picture? = nil
  ) {
    self.report = Aggregator(initial: report)
    self.style = style
    self.output = output
    self.scheduler = scheduler
    self.controls = controls
    screen = Screen(output: output)
    let hasKeys = controls?.keys != nil || picture != nil
    jobControl = style == .dashboard ? JobControl(of: screen, needsKeys: hasKeys) : nil
    let (hasColours, help) = (output.hasColours, controls?.allHelp ?? [])
    let standard: Picture = { report, size in
      DashboardPicture(report.dashboard, colours: hasColours)
        .lines(size, help: help) { controls?.more($0, report.dashboard.past?.time) ?? [] }
    }
    show(picture ?? standard)
  }

  /// Begins to report what an aggregator does. It must be called before the first event if
  /// everything is to be counted.
  ///
  /// - Parameters:
  ///   - events: the names of the events it takes in.
  ///   - snapshots: its states.
  ///   - changes: what its selections say.
  ///   - readings: the names of the fields that are read, be it without a change.
  func follow(
    events: Observable<String, Never>,
    snapshots: Observable<some Sendable, Never>,
    changes: Observable<FieldChange, Never>,
    readings: Observable<String, Never> = .merge([])
  ) {
    report.add(events.map(Report.Event.event))
    report.add(snapshots.map { _ in Report.Event.snapshot })
    report.add(changes.onceKnown().map { [scheduler] in Report.Event.change($0, at: scheduler.now) })
    guard style == .dashboard else { return }
    report.add(readings.map { [scheduler] in Report.Event.reading($0, at: scheduler.now) })
    report.add(
      Observable.interval(Self.redrawPeriod, on: scheduler).map { [scheduler, controls] _ in
        Report.Event.redraw(controls?.sources() ?? [], at: scheduler.now)
      }
    )
    if let controls, let keys = controls.keys {
      let actions = DashboardKeys(controls: controls, report: report)
      keys.subscribe { actions.press($0) }.store(in: subscriptions)
    }
  }

  /// Waits until everything has been shown, gives the terminal back, and returns the counts.
  func finish() async -> Report {
    report.send(.end)
    for await hasEnded in report.select(\.hasEnded).values where hasEnded { break }
    report.finish()
    jobControl?.end()
    screen.close()
    // No key is read any more.
    subscriptions.cancel()
    return report.snapshot
  }

  private func show(_ picture: @escaping Picture) {
    switch style {
    case .dashboard:
      // Between two pictures much may change; only the newest is worth drawing.
      report.states.distinctUntilChanged(by: \.frame)
        .subscribe { [screen] report in
          screen.draw(picture(report, screen.output.terminalSize))
        }
        .store(in: subscriptions)
    case .lines:
      changes.subscribe { [output] in output.line($0.line) }.store(in: subscriptions)
    case .json:
      changes.subscribe { [output] in output.line($0.json.text) }.store(in: subscriptions)
    }
  }

  private var changes: Observable<FieldChange, Never> {
    report.events.compactMap { event in
      if case .change(let change, _) = event { change } else { nil }
    }
  }
}

extension Observable<FieldChange, Never> {
  /// What is said about each field from its first known value on: that it starts out unknown is no change.
  fileprivate func onceKnown() -> Observable {
    scan(into: OnceKnown()) { $0.take($1) }.compactMap(\.change)
  }
}

private struct OnceKnown: Sendable {
  private(set) var change: FieldChange?
  private var knownFields: Set<String> = []

  mutating func take(_ change: FieldChange) {
    if change.text != nil { knownFields.insert(change.field) }
    self.change = knownFields.contains(change.field) ? change : nil
  }
}
