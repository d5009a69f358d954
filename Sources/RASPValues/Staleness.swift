/// The age of a value, and whether the value is too old to be trusted: a field of a state.
///
///     struct PositionState: AggregateState {
///       var position: Location?
///       var freshness = Staleness(after: .seconds(5))
///
///       mutating func apply(_ event: PositionEvent) {
///         switch event {
///         case .fix(let position, let instant):
///           self.position = position
///           freshness.refresh(at: instant)
///         case .tick(let instant):
///           freshness.advance(to: instant)
///         }
///       }
///     }
///
/// Time comes from the events, as a duration since any origin. A source that has fallen silent sends no events, so a
/// timer has to: its events call ``advance(to:)``. Time does not go back: an instant that is earlier than the newest
/// one is taken for that.
///
/// - Complexity: every member is O(1).
public struct Staleness: Sendable, Hashable, Codable {
  /// The age at which the value is stale.
  public let limit: Duration

  /// The newest instant that was told; `nil` before the first.
  public private(set) var now: Duration?

  /// The instant at which the value was refreshed last; `nil` if there has been no value.
  public private(set) var refreshed: Duration?

  /// Makes the staleness of a value that has not come yet.
  ///
  /// - Parameter limit: the age at which a value is stale. With a limit that is not positive, every value is.
  public init(after limit: Duration) {
    self.limit = limit
  }

  /// Says that a value has come.
  public mutating func refresh(at instant: Duration) {
    advance(to: instant)
    refreshed = now
  }

  /// Says that it is so late now.
  public mutating func advance(to instant: Duration) {
    now = max(now ?? instant, instant)
  }

  /// The age of the value at the newest instant; `nil` if there has been no value.
  public var age: Duration? {
    guard let now, let refreshed else { return nil }
    return now - refreshed
  }

  /// Is `true` if the value has reached the limit of its age, or if there has been none.
  public var isStale: Bool { age.map { $0 >= limit } ?? true }
}
