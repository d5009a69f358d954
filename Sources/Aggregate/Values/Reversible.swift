/// A state that knows for each event the event that takes it back.
public protocol ReversibleState: AggregateState {
  /// The event that takes `event` back, if it is applied to the state right after it.
  ///
  /// It is asked before the event is applied, so `self` is the state that the inverse event leads back to.
  ///
  /// - Returns: the inverse event; `nil` if the event cannot be taken back. Then nothing before it can be, either.
  func inverse(of event: Event) -> Event?
}

/// A state whose changes can be undone and redone by inverse events: no snapshot is kept.
///
///     extension CounterState: ReversibleState {
///       func inverse(of event: CounterEvent) -> CounterEvent? {
///         switch event {
///         case .add(let amount): .add(-amount)
///         case .set: .set(count)
///         }
///       }
///     }
///
///     let counter = Aggregator(initial: Reversible(CounterState()))
///
/// The fields of the present state are read as if they were its own. ``Undoable`` does the same for every state, and
/// keeps snapshots.
///
/// - Complexity: a change costs what the event costs, and what the inverse event costs to make. How many changes are
///   kept makes no difference.
@dynamicMemberLookup
public struct Reversible<Base: ReversibleState>: AggregateState {
  @usableFromInline
  struct Step: Sendable {
    @usableFromInline let event: Base.Event
    @usableFromInline let inverse: Base.Event

    @inlinable
    init(event: Base.Event, inverse: Base.Event) {
      self.event = event
      self.inverse = inverse
    }
  }

  /// The present state.
  public private(set) var present: Base

  /// The same for code that is compiled where the type is known, which cannot use a private setter.
  @usableFromInline var changing: Base {
    get { present }
    _modify { yield &present }
  }

  /// The number of changes that can be undone, at most.
  public let limit: Int

  @usableFromInline var past: History<Step>
  @usableFromInline var future: History<Base.Event>

  /// Makes a state without a past.
  ///
  /// - Parameters:
  ///   - present: the present state.
  ///   - limit: the number of changes that can be undone, at most. The oldest are forgotten. With zero or less, no
  ///     change can be undone.
  /// - Complexity: O(1).
  public init(_ present: Base, limit: Int = 100) {
    self.present = present
    self.limit = max(0, limit)
    past = History()
    future = History()
  }

  /// Is `true` if there is a change that can be undone.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var canUndo: Bool { !past.isEmpty }

  /// Is `true` if there is a change that can be redone.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var canRedo: Bool { !future.isEmpty }

  /// A field of the present state.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript<Field>(dynamicMember keyPath: KeyPath<Base, Field>) -> Field { present[keyPath: keyPath] }

  /// Changes the present state, or undoes or redoes a change.
  ///
  /// - Errors: throws what the state throws. What can be undone and redone is then as before; the present state is as
  ///   its own `apply` has left it, and an aggregator takes that back.
  /// - Complexity: the cost of the event.
  @inlinable
  public mutating func apply(_ event: Revision<Base.Event>) throws(Base.Rejection) {
    switch event {
    case .change(let event):
      try change(by: event)
      future.removeAll()
    case .undo:
      guard let step = past.last else { return }
      try changing.apply(step.inverse)
      _ = past.popLast()
      future.append(step.event, limit: limit)
    case .redo:
      guard let event = future.last else { return }
      try change(by: event)
      _ = future.popLast()
    }
    assert(past.count <= limit, "More changes are kept than the limit allows.")
  }

  @inlinable
  mutating func change(by event: Base.Event) throws(Base.Rejection) {
    let inverse = present.inverse(of: event)
    try changing.apply(event)
    guard let inverse else {
      past.removeAll()
      return
    }
    past.append(Step(event: event, inverse: inverse), limit: limit)
  }
}

extension Reversible.Step: Encodable where Base.Event: Encodable {}
extension Reversible.Step: Decodable where Base.Event: Decodable {}

extension Reversible: Encodable where Base: Encodable, Base.Event: Encodable {
  /// Encodes the present state, and what can be undone and redone.
  public func encode(to encoder: any Encoder) throws {
    try CodedHistory(present: present, limit: limit, past: past, future: future).encode(to: encoder)
  }
}

extension Reversible: Decodable where Base: Decodable, Base.Event: Decodable {
  /// Decodes a state, and what can be undone and redone.
  ///
  /// - Errors: throws `DecodingError.dataCorrupted` if there are more steps than the limit allows.
  public init(from decoder: any Decoder) throws {
    let coded = try CodedHistory<Base, Step, Base.Event>(from: decoder)
    self.init(coded.present, limit: coded.limit)
    (past, future) = (coded.past, coded.future)
  }
}
