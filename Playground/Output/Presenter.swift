import Aggregate
import Streams

/// Shows a scenario while it runs, and counts what it does.
struct Presenter: Sendable {
  private static let redrawPeriod: Duration = .milliseconds(100)

  let style: OutputStyle
  let output: Output
  private let report: Aggregator<Report>
  private let lines: @Sendable (Report, _ width: Int) -> [String]
  private let screen: Screen
  private let jobControl: JobControl?
  private let subscriptions = SubscriptionBag()

  /// - Parameters:
  ///   - hasKeys: whether keys are read from the terminal.
  ///   - lines: the lines of a picture; the dashboard of the fields, unless a scenario has a picture of its own.
  init(
    _ report: Report,
    style: OutputStyle,
    output: Output,
    hasKeys: Bool = false,
    lines: @escaping @Sendable (Report, _ width: Int) -> [String] = { $0.dashboard.lines(width: $1) }
  ) {
    self.report = Aggregator(initial: report)
    self.lines = lines
    self.style = style
    self.output = output
    screen = Screen(output: output)
    jobControl = style == .dashboard ? JobControl(of: screen, needsKeys: hasKeys) : nil
    subscribe()
  }

  /// Begins to report what an aggregator does. It must be called before the first event if
  /// everything is to be counted.
  ///
  /// - Parameters:
  ///   - events: the names of the events it takes in.
  ///   - snapshots: its states.
  ///   - changes: what its selections say.
  func follow(
    events: Observable<String, Never>,
    snapshots: Observable<some Sendable, Never>,
    changes: Observable<FieldChange, Never>
  ) {
    report.add(events.map(Report.Event.event))
    report.add(snapshots.map { _ in Report.Event.snapshot })
    report.add(changes.onceKnown().map(Report.Event.change))
    if style == .dashboard {
      report.add(Observable.interval(Self.redrawPeriod).map { _ in Report.Event.redraw })
    }
  }

  /// Waits until everything has been shown, gives the terminal back, and returns the counts.
  func finish() async -> Report {
    report.send(.end)
    for await hasEnded in report.select(\.hasEnded).values where hasEnded { break }
    report.finish()
    jobControl?.end()
    screen.close()
    return report.snapshot
  }

  private func subscribe() {
    switch style {
    case .dashboard:
      // Between two pictures much may change; only the newest is worth drawing.
      report.states.distinctUntilChanged(by: \.frame)
        .subscribe { [screen, lines] report in
          screen.draw(lines(report, screen.output.terminalSize.columns))
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
      if case .change(let change) = event { change } else { nil }
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
