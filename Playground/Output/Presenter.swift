import Aggregate
import RASPInsight
import Streams

/// How a run is shown.
enum OutputStyle: Sendable {
  /// A picture on a terminal, drawn in place.
  case picture
  /// A line of text per field change.
  case lines
  /// A JSON object per field change.
  case json

  init(_ options: Options, for output: Output) {
    self = options.json ? .json : output.isTerminal ? .picture : .lines
  }
}

/// Shows a scenario while it runs, and counts what it does.
struct Presenter: Sendable {
  private static let redrawPeriod: Duration = .milliseconds(100)

  let style: OutputStyle
  let output: Output
  let report: Aggregator<Report>
  private let scheduler: any Scheduler
  private let screen: Screen
  private let subscriptions = SubscriptionBag()

  /// - Parameter picture: draws the run.
  init(
    _ report: Report,
    style: OutputStyle,
    output: Output,
    scheduler: any Scheduler = .continuous,
    picture: @escaping @Sendable (Report, TerminalSize) -> [String] = { $0.lines($1) }
  ) {
    self.report = Aggregator(initial: report)
    self.style = style
    self.output = output
    self.scheduler = scheduler
    screen = Screen(output: output)
    switch style {
    case .picture:
      // Between two pictures much may change; only the newest is worth drawing.
      self.report.states.distinctUntilChanged(by: \.frame)
        .subscribe { [screen] report in screen.draw(picture(report, screen.output.terminalSize)) }
        .store(in: subscriptions)
    case .lines: changes.subscribe { output.line($0.line) }.store(in: subscriptions)
    case .json: changes.subscribe { output.line($0.json.text) }.store(in: subscriptions)
    }
  }

  private var changes: Observable<FieldChange, Never> {
    report.events.compactMap { event in
      if case .change(let change) = event { change } else { nil }
    }
  }

  /// Begins to report what an aggregator does. It must be called before the first event if
  /// everything is to be counted.
  ///
  /// - Parameters:
  ///   - events: the names of the events it takes in.
  ///   - snapshots: its states.
  ///   - changes: what its selections say.
  ///   - sources: its sources as they are now.
  func follow(
    events: Observable<String, Never>,
    snapshots: Observable<some Sendable, Never>,
    changes: Observable<FieldChange, Never>,
    sources: @escaping @Sendable () -> [SourceHealth] = { [] }
  ) {
    report.add(events.map(Report.Event.event))
    report.add(snapshots.map { _ in Report.Event.snapshot })
    report.add(changes.onceKnown().map(Report.Event.change))
    guard style == .picture else { return }
    report.add(
      Observable.interval(Self.redrawPeriod, on: scheduler).map { [scheduler] _ in
        Report.Event.redraw(sources(), at: scheduler.now)
      }
    )
  }

  /// Lets keys show the help and quit, and hands the others on.
  ///
  /// - Parameter press: returns what is to be told of what a key has done; `nil` if it does nothing.
  /// - Returns: the user's wish to end the run.
  func quits(
    by keys: Observable<TerminalKey, Never>,
    press: @escaping @Sendable (TerminalKey) -> String? = { _ in nil }
  ) -> Observable<Void, Never> {
    guard style == .picture else { return .merge([]) }
    return keys.compactMap { [report] key in
      let isHelpShown = report.snapshot.isHelpShown
      if key == .character("?") || key == .escape && isHelpShown {
        report.send(.help)
      } else if key == .character("q") || key == .escape || key == .end {
        return ()
      } else {
        report.send(.message(press(key)))
      }
      return nil
    }
  }

  /// What the keys do that all pictures have.
  static let help = ["?       show or hide this help", "q       quit, as do escape and ^D"]

  /// Waits until everything has been shown, gives the terminal back, and returns the counts.
  func finish() async -> Report {
    report.send(.end)
    for await hasEnded in report.select(\.hasEnded).values where hasEnded { break }
    report.finish()
    screen.close()
    return report.snapshot
  }

  /// Writes what the run came to, the last line of JSON or some lines of text: the final value of each field, the
  /// counts, and what explains a field.
  func summarize(_ fields: [FieldChange], _ report: Report, _ explanation: Explanation?) {
    guard style != .json else {
      let state = JSON.object(fields.map { JSON.Member(key: $0.field, value: .object($0.members)) })
      let summary: JSON = [
        "events": report.events.json, "snapshots": .integer(Int64(report.snapshots)), "changes": report.changes.json,
        "why": explanation?.json ?? .null, "state": state,
      ]
      return output.line(JSON.object(["summary": summary]).text)
    }
    let values = ["", "Final state"] + fields.map { "  " + $0.line }
    let counts = [
      "Summary",
      "  events       " + report.events.text,
      "  snapshots    \(report.snapshots)",
      "  changes      " + report.changes.text,
    ]
    output.line((values + counts + (explanation?.lines ?? []).map { "  " + $0 }).joined(separator: "\n"))
  }
}

extension Observable<FieldChange, Never> {
  /// What is said about each field from its first known value on: that it starts out unknown is no change.
  fileprivate func onceKnown() -> Observable {
    scan(into: (known: Set<String>(), change: FieldChange?.none)) { sum, change in
      if change.text != nil { sum.known.insert(change.field) }
      sum.change = sum.known.contains(change.field) ? change : nil
    }
    .compactMap(\.change)
  }
}
