import Aggregate

/// What has happened to one row of a ``KeyedAggregator``: an event of its recording.
public struct RowStep<Key: Hashable & Sendable, Row: AggregateState>: Sendable {
  /// What can happen to a row. Most steps are plain events: the states are apart, so that a tape has room for no more.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Change: Sendable {
    /// An event came for a row that was there.
    case event(Row.Event)

    /// An event came for a row that was not there. The row was made for it with this state, and is not there if it has
    /// refused the event.
    indirect case first(Row.Event, of: Row)

    /// A row was put in with this state.
    indirect case inserted(Row)

    /// The row was removed.
    case removed(RowRemoval)
  }

  /// The key of the row.
  public let key: Key

  /// What has happened to it.
  public let change: Change

  /// The event of the row; `nil` if it was put in or removed.
  public var event: Row.Event? {
    switch change {
    case .event(let event), .first(let event, _): event
    case .inserted, .removed: nil
    }
  }

  /// Makes a step.
  @inlinable
  public init(key: Key, _ change: Change) {
    self.key = key
    self.change = change
  }
}

extension RowStep: Equatable where Row: Equatable, Row.Event: Equatable {}
extension RowStep.Change: Equatable where Row: Equatable, Row.Event: Equatable {}

extension RowStep: Codable where Key: Codable, Row: Codable, Row.Event: Codable {}
extension RowStep.Change: Codable where Row: Codable, Row.Event: Codable {}

/// A step without the types of its row, for drawings.
package protocol AnyRowStep {
  /// The key of the row.
  var anyKey: AnyHashable { get }
  /// The event, or the state that was put in; `nil` if the row was removed.
  var content: (any Sendable)? { get }
  /// In what way it is no plain event; `nil` if it is one.
  var remark: String? { get }
}

extension RowStep: AnyRowStep {
  package var anyKey: AnyHashable { AnyHashable(key) }

  package var content: (any Sendable)? {
    switch change {
    case .event(let event), .first(let event, _): event
    case .inserted(let row): row
    case .removed: nil
    }
  }

  package var remark: String? {
    switch change {
    case .event, .first: nil
    case .inserted: "put in"
    case .removed(.removed): "removed"
    case .removed(.idle): "removed, idle"
    case .removed(.beyondLimit): "removed, beyond the limit"
    }
  }
}

/// One step of one row, as it is recorded.
@usableFromInline
package struct RecordedStep<Key: Hashable & Sendable, State: AggregateState> {
  @usableFromInline package let step: RowStep<Key, State>
  @usableFromInline let row: KeyedRow<Key, State>?

  @inlinable
  init(_ change: RowStep<Key, State>.Change, of key: Key, before row: KeyedRow<Key, State>?) {
    step = RowStep(key: key, change)
    self.row = row
  }

  /// The state of the row before the step.
  @inlinable package var state: State? { row?.state }
}

/// What a recorded step has taken the place of.
@usableFromInline
package typealias RowGarbage<Key: Hashable & Sendable, State: AggregateState> = (
  step: RowStep<Key, State>?, state: State?
)
