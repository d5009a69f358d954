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
    case change(FieldChange)
    /// It is time for a new picture.
    case redraw
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

  init(title: String, sources: [String], fields: [String]) {
    events = Tally(sources)
    changes = Tally(fields)
    dashboard = Dashboard(title: title, fields: fields)
  }

  mutating func apply(_ event: Event) {
    switch event {
    case .event(let name):
      events.count(name)
    case .snapshot:
      snapshots += 1
    case .change(let change):
      changes.count(change.field)
      dashboard.show(change)
    case .redraw:
      frame += 1
    case .end:
      frame += 1
      hasEnded = true
    }
  }
}
