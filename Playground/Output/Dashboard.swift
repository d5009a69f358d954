/// What the dashboard of a run knows: the sources, the fold, and the fields with their past.
struct Dashboard: Equatable, Sendable {
  /// A field as it is now.
  struct Field: Equatable, Sendable {
    let name: String
    /// What is known of it, or was known last.
    var text: String?
    var isStale = false
    /// When it was read last, be it without a change.
    var readAt: Duration?
    var history: History
  }

  /// A moment of the past, which is shown in the place of the present.
  struct Past: Equatable, Sendable {
    let time: Duration
    /// The texts of the fields at that time.
    let texts: [String: String]
  }

  let title: String
  /// How long the run takes; `nil` if that is not known.
  let length: Duration?
  private(set) var startedAt: Duration?
  private(set) var fields: [Field]
  private var present = DashboardMoment()
  private var earlier = DashboardMoments()
  private var rates: [String: EventRate] = [:]
  /// What is shown while the run goes on unseen; `nil` for the present.
  private(set) var past: Past?
  private(set) var isHelpShown = false
  /// What has happened on behalf of the user, for the last line.
  private(set) var message = DashboardMessage("")

  init(title: String, length: Duration? = nil, fields: [String]) {
    self.title = title
    self.length = length
    self.fields = fields.map { Field(name: $0, history: History(scale: .amount)) }
  }

  var now: Duration { present.time }

  /// The sources and the fold as they are shown: now, or at the moment of the past.
  var shown: DashboardMoment { past.flatMap { earlier.last(at: $0.time) } ?? present }

  mutating func show(_ change: FieldChange, at time: Duration) {
    guard let index = fields.firstIndex(where: { $0.name == change.field }) else { return }
    if fields[index].history.scale != change.scale { fields[index].history = History(scale: change.scale) }
    fields[index].isStale = change.text == nil
    fields[index].text = change.text ?? fields[index].text
    // That a value has gone stale is no reading.
    if change.text != nil { fields[index].readAt = time }
    fields[index].history.append(change.level, at: time)
  }

  /// A known field was read again.
  mutating func read(_ name: String, at time: Duration) {
    guard let index = fields.firstIndex(where: { $0.name == name }), fields[index].readAt != nil,
      !fields[index].isStale
    else { return }
    fields[index].readAt = time
  }

  mutating func countEvent() { present.eventCount += 1 }

  mutating func update(_ statuses: [SourceStatus], at time: Duration) {
    startedAt = startedAt ?? time
    present.time = time
    present.sources = statuses.map { status in
      rates[status.name, default: EventRate()].update(status.count, at: time)
      return DashboardMoment.Source(status: status, rate: rates[status.name]?.perSecond)
    }
    earlier.append(present)
    message.follow(statuses)
  }

  /// - Parameter past: the moment to show; `nil` for the present.
  mutating func turn(to past: Past?) { self.past = past }

  mutating func toggleHelp() { isHelpShown.toggle() }

  mutating func tell(_ message: DashboardMessage) { self.message = message }
}
