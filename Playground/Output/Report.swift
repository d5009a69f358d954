import Aggregate

/// What there is to say about a run: the dashboard while it lasts, and the counts at its end. It is an aggregate
/// itself, fed by what another one does.
struct Report: AggregateState {
  enum Event: Sendable {
    /// The scenario's aggregator has taken in an event of this name.
    case event(String)
    /// It has made a snapshot.
    case snapshot
    /// A selection has spoken.
    case change(FieldChange, at: Duration)
    /// A field of this name was read, be it without a change.
    case reading(String, at: Duration)
    /// It is time for a new picture, of these sources.
    case redraw([SourceStatus], at: Duration)
    /// The user wants to see a moment of the past, or the present again.
    case past(Dashboard.Past?)
    /// The user wants to see the help, or not any more.
    case help
    /// Something was done for the user.
    case message(DashboardMessage)
    /// The run is over: everything has been reported.
    case end
  }

  private(set) var events: Tally
  private(set) var snapshots = 0
  private(set) var changes: Tally
  private(set) var dashboard: Dashboard
  /// How many pictures of the dashboard there should have been by now.
  private(set) var frame = 0
  private(set) var hasEnded = false

  /// - Parameter length: how long the run takes; `nil` if that is not known.
  init(title: String, length: Duration? = nil, sources: [String], fields: [String]) {
    events = Tally(sources)
    changes = Tally(fields)
    dashboard = Dashboard(title: title, length: length, fields: fields)
  }

  mutating func apply(_ event: Event) {
    switch event {
    case .event(let name):
      events.count(name)
      dashboard.countEvent()
    case .snapshot:
      snapshots += 1
    case .change(let change, let time):
      changes.count(change.field)
      dashboard.show(change, at: time)
    case .reading(let field, let time):
      dashboard.read(field, at: time)
    case .redraw(let sources, let time):
      frame += 1
      dashboard.update(sources, at: time)
    case .past(let past):
      frame += 1
      dashboard.turn(to: past)
    case .help:
      frame += 1
      dashboard.toggleHelp()
    case .message(let text):
      frame += 1
      dashboard.tell(text)
    case .end:
      frame += 1
      hasEnded = true
    }
  }
}
