import Aggregate
import RASPInsight

/// What there is to say about a run: its picture while it lasts, and the counts at its end. It is an aggregate itself,
/// fed by what another one does.
struct Report: AggregateState {
  enum Event: Sendable {
    /// The scenario's aggregator has taken in an event of this name.
    case event(String)
    /// It has made a snapshot.
    case snapshot
    /// A selection has spoken.
    case change(FieldChange)
    /// It is time for a new picture, of these sources.
    case redraw([SourceHealth], at: Duration)
    /// The user wants to see the help, or not any more.
    case help
    /// What a key has done for the user, who is told so until the next key.
    case message(String?)
    /// The run is over: everything has been reported.
    case end
  }

  /// A field as it is now.
  struct Field: Sendable {
    let name: String
    /// What is known of it, or was known last.
    var text: String?
    /// The newest change, which may be that nothing is known any more.
    var change: FieldChange?
    var curve = Curve()
  }

  /// How many pictures there are for a column of a curve.
  private static let framesPerLevel = 5

  let title: String
  /// How long the run takes; `nil` if that is not known.
  let length: Duration?
  private(set) var events: Tally
  private(set) var snapshots = 0
  private(set) var changes: Tally
  private(set) var fields: [Field]
  private(set) var sources: [SourceHealth] = []
  private(set) var startedAt: Duration?
  private(set) var now: Duration = .zero
  private(set) var isHelpShown = false
  private(set) var message: String?
  /// How many pictures there should have been by now.
  private(set) var frame = 0
  private(set) var hasEnded = false

  init(title: String, length: Duration? = nil, events names: [String], fields: [String]) {
    self.title = title
    self.length = length
    events = Tally(names)
    changes = Tally(fields)
    self.fields = fields.map { Field(name: $0) }
  }

  mutating func apply(_ event: Event) {
    switch event {
    case .event(let name): return events.count(name)
    case .snapshot: return snapshots += 1
    case .change(let change): return show(change)
    case .redraw(let sources, let time): update(sources, at: time)
    case .help: isHelpShown.toggle()
    case .message(let text): message = text
    case .end: hasEnded = true
    }
    frame += 1
  }

  private mutating func show(_ change: FieldChange) {
    changes.count(change.field)
    guard let index = fields.firstIndex(where: { $0.name == change.field }) else { return }
    fields[index].text = change.text ?? fields[index].text
    fields[index].change = change
  }

  private mutating func update(_ sources: [SourceHealth], at time: Duration) {
    startedAt = startedAt ?? time
    now = time
    self.sources = sources
    guard frame.isMultiple(of: Self.framesPerLevel) else { return }
    for index in fields.indices { fields[index].curve.append(fields[index].change?.level) }
  }
}

/// Counts by name, in the order in which the names were first mentioned.
struct Tally: Equatable, Sendable {
  private(set) var names: [String]
  private var counts: [String: Int] = [:]

  /// Names that are known beforehand are listed even if they are never counted.
  init(_ names: [String] = []) { self.names = names }

  subscript(name: String) -> Int { counts[name] ?? 0 }

  var total: Int { counts.values.reduce(0, +) }

  mutating func count(_ name: String) {
    if !names.contains(name) { names.append(name) }
    counts[name, default: 0] += 1
  }

  var json: JSON { .object(names.map { JSON.Member(key: $0, value: .integer(Int64(self[$0]))) }) }

  /// `heading 12, depth 3`
  var text: String { names.isEmpty ? "none" : names.map { "\($0) \(self[$0])" }.joined(separator: ", ") }
}
