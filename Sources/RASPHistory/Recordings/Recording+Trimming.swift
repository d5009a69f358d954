import Aggregate

extension Recording {
  /// The time that the recording covers: every event of this time is in it.
  public var duration: Duration { end - start }

  /// Returns the part from an instant on, with the state at that instant.
  ///
  /// If events of that time have fallen off the tape, the result begins later than was asked for: see ``start``.
  ///
  /// - Complexity: one `apply` for each entry before the instant.
  public func suffix(from instant: Duration) -> Recording {
    let count = entries.firstIndex { $0.time >= instant } ?? entries.count
    var initial = initial
    for entry in entries.prefix(count) { _ = initial?.fold(entry.event) }
    return Recording(
      name: name,
      lane: lane,
      initial: initial,
      entries: Array(entries.dropFirst(count)),
      state: state,
      start: max(start, min(instant, end)),
      end: end,
      clockOrigin: clockOrigin
    )
  }

  /// Returns the newest part, of so much time before the recording was taken.
  ///
  ///     let incident = recorder.recording.last(.seconds(30))
  ///     if incident.duration < .seconds(30) { print("The tape was too short.") }
  ///
  /// - Complexity: one `apply` for each entry before.
  public func last(_ duration: Duration) -> Recording {
    duration < self.duration ? suffix(from: end - max(.zero, duration)) : self
  }
}
