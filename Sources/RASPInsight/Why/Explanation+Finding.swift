import Aggregate
import RASPHistory
import RASPSupport
import Streams

extension Explanation {
  init<State, Field>(
    of selector: StateSelector<State, Field>,
    in recording: Recording<State>,
    by lanes: [any RecordedLane]
  ) {
    let subject = recording.name + selector.fieldName
    let present = text(of: selector(recording.state))
    guard recording.initial != nil else {
      self.init(subject: subject, value: present, links: [], end: .withoutStates)
      return
    }
    guard let newest = recording.newestChange(of: selector) else {
      self.init(subject: subject, value: present, links: [], end: .unchanged(since: recording.start))
      return
    }
    // Later values that the selection takes for the same were not sent.
    let value = text(of: newest.new)
    var chain = CauseChain(in: recording, by: lanes)
    let end = chain.follow(recording.cause(of: newest.entry))
    guard !chain.links.isEmpty else {
      // The process has given all its lanes away, so this one has no identities.
      self.init(subject: subject, value: value, links: [], end: .outside)
      return
    }
    chain.links[0].change = Timeline.Change(
      path: selector.fieldName,
      old: text(of: newest.old),
      new: text(of: newest.new)
    )
    chain.addChanges()
    self.init(subject: subject, value: value, links: chain.links, end: end)
  }

  init(ofEvent number: Int, in history: any LaneHistory, by lanes: [any RecordedLane]) {
    let subject = "\(history.laneName) #\(number)"
    guard let occurrence = history.occurrence(number) else {
      self.init(subject: subject, value: nil, links: [], end: .noSuchEvent)
      return
    }
    var chain = CauseChain(in: history, by: lanes)
    let end = chain.follow(occurrence.id)
    chain.addChanges()
    self.init(subject: subject, value: nil, links: chain.links, end: end)
  }
}

/// The way from an event to its cause, and on.
private struct CauseChain {
  var links: [Explanation.Link] = []
  private var histories: [Int: any LaneHistory]
  private let lanes: [any RecordedLane]

  init(in history: any LaneHistory, by lanes: [any RecordedLane]) {
    self.lanes = lanes
    // What is explained was looked at here, and stays as it was.
    histories = [history.laneNumber: history]
  }

  /// Adds what has happened, and all that led to it.
  mutating func follow(_ cause: Cause) -> Explanation.End {
    var cause = cause
    var seen = Set<Cause>()
    while cause != .unknown {
      guard let history = history(of: cause.lane) else { return .elsewhere(cause) }
      guard let occurrence = history.occurrence(cause.number) else {
        return .older(cause, lane: history.laneName)
      }
      // A recording from elsewhere may hold anything.
      guard seen.insert(cause).inserted else { return .elsewhere(cause) }
      links.append(
        Explanation.Link(
          id: cause,
          lane: history.laneName,
          label: occurrence.label,
          time: occurrence.time,
          cause: occurrence.cause
        )
      )
      cause = occurrence.cause
    }
    return .outside
  }

  /// Adds what each link has changed. Each lane is folded once.
  mutating func addChanges() {
    for (lane, links) in Dictionary(grouping: links, by: \.id.lane) {
      guard let changes = histories[lane]?.changes(of: Set(links.map(\.number))) else { continue }
      for index in self.links.indices where self.links[index].id.lane == lane {
        self.links[index].changes = changes[self.links[index].number] ?? []
      }
    }
  }

  /// The history of a lane. It is taken once, when it is needed.
  private mutating func history(of lane: Int) -> (any LaneHistory)? {
    if let history = histories[lane] { return history }
    let history = lanes.first { $0.number == lane }?.history
    histories[lane] = history
    return history
  }
}

/// A value on one line, without the optional that it may be in.
private func text(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional, let wrapped = mirror.children.first { return text(of: wrapped.value) }
  // The text for debugging has the name of the module in front of that of the type.
  return TypeTraits.of(value).hasOwnText ? describe(value).oneLine.clipped(to: 200) : label(of: value)
}
