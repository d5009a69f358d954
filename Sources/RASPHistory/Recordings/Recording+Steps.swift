public import Aggregate

extension Recording {
  /// One event, and the states before and after it.
  public struct Step: Sendable {
    /// The event, with its number, cause and time.
    public let entry: Entry

    /// The state before the event.
    public let before: State

    /// The state after the event: the same if it was refused.
    public let after: State

    /// The reason for which the state refused the event; `nil` if it did not.
    public let refusal: State.Rejection?

    /// Makes one, for a test or a preview.
    public init(entry: Entry, before: State, after: State, refusal: State.Rejection? = nil) {
      (self.entry, self.before, self.after, self.refusal) = (entry, before, after, refusal)
    }
  }

  /// The entries of a recording with their states, folded while they are iterated over.
  public struct Steps: Sequence, IteratorProtocol, Sendable {
    private var entries: ArraySlice<Entry>
    private var state: State?

    init(of recording: Recording) {
      state = recording.initial
      entries = recording.entries[...]
    }

    /// Folds the next event.
    public mutating func next() -> Step? {
      guard let before = state, let entry = entries.popFirst() else { return nil }
      let refusal = state?.fold(entry.event)
      return Step(entry: entry, before: before, after: state ?? before, refusal: refusal)
    }
  }

  /// The entries with the states before and after them. It is empty if only events were kept.
  ///
  ///     for step in recording.steps where step.before.heading != step.after.heading {
  ///       print(step.entry.number, step.entry.event)
  ///     }
  ///
  /// - Complexity: one `apply` per step, and a copy of what it changes, because the state before is there beside it.
  ///   ``replay(_:)`` copies nothing.
  public var steps: Steps { Steps(of: self) }
}
