/// The sources and the fold of a run at a moment.
struct DashboardMoment: Equatable, Sendable {
  struct Source: Equatable, Sendable {
    let status: SourceStatus
    /// Its events a second, if that is known.
    let rate: Double?
  }

  var time: Duration = .zero
  var sources: [Source] = []
  /// The events that were folded.
  var eventCount = 0
}

/// The moments of a run, for those who go back in time. Of a long run there are fewer in a minute.
struct DashboardMoments: Equatable, Sendable {
  private static let capacity = 4_096

  private var moments: [DashboardMoment] = []
  /// The least time between two of them. A picture goes back by a second.
  private var step: Duration = .milliseconds(500)

  /// Keeps a moment, unless there is one of about the same time.
  mutating func append(_ moment: DashboardMoment) {
    if let last = moments.last, moment.time - last.time < step { return }
    moments.append(moment)
    guard moments.count > Self.capacity else { return }
    moments = moments.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    step = step * 2
  }

  /// The last moment that is not later than a time; `nil` if all are.
  func last(at time: Duration) -> DashboardMoment? { moments.last { $0.time <= time } }
}
