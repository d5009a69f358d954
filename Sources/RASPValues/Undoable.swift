public import Aggregate

/// An event of a state that can be undone.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum Revision<Change: Sendable>: Sendable {
  /// Changes the state, as a step that can be undone. What was undone before can no longer be redone.
  ///
  /// Changes that follow one another and are joined by the same name, that of a gesture or of a word that is typed, are
  /// one step.
  ///
  ///     drawing.send(.change(.moved(shape, to: point), joining: "drag \(number)"))
  case change(Change, joining: String? = nil)

  /// Changes the state without a step: the presence of others, or what a server sends. It stays when steps are undone
  /// and redone.
  case apply(Change)

  /// Takes the last step back. Without one it does nothing.
  case undo

  /// Takes the step again that was undone last. Without one it does nothing.
  case redo
}

extension Revision: Equatable where Change: Equatable {}
extension Revision: Hashable where Change: Hashable {}
extension Revision: Encodable where Change: Encodable {}
extension Revision: Decodable where Change: Decodable {}

/// A state whose changes can be undone and redone, because the snapshots before them are kept.
///
///     let form = Aggregator(initial: Undoable(FormState()))
///     form.send(.change(.rename("Kim")))
///     form.send(.undo)
///     form.snapshot.name                       // as it was
///     form.select(\.canUndo)
///
/// The fields of the present state are read as if they were its own. An event that the state refuses is no change.
///
/// A snapshot shares the storage of collections with the state, so it costs what changes afterwards. A state with large
/// collections that change in many places is undone by inverse events instead, see <doc:StatesAroundAState>.
///
/// It is `Codable` with the state, and ``Revision`` with its events, so a journal keeps it with all that can be undone.
///
/// - Complexity: a change copies the state, and the collections in it that it changes. A state that can throw is copied
///   for each event, and the list of the snapshots with it: O(snapshots).
@dynamicMemberLookup
public struct Undoable<Base: AggregateState>: AggregateState {
  /// The present state.
  public private(set) var present: Base

  /// The number of steps that can be undone, at most.
  public let limit: Int

  private var past = Queue<Base>()
  private var future = Queue<Base>()
  /// What joins the next change to the last step.
  private var joined: String?

  /// Makes a state without a past.
  ///
  /// - Parameters:
  ///   - present: the present state.
  ///   - limit: the number of steps that can be undone, at most. The oldest are forgotten. With zero or less, no step
  ///     can be undone.
  /// - Complexity: O(1).
  public init(_ present: Base, limit: Int = 100) {
    self.present = present
    self.limit = max(0, limit)
  }

  /// Is `true` if there is a step that can be undone.
  ///
  /// - Complexity: O(1).
  public var canUndo: Bool { past.count > 0 }

  /// Is `true` if there is a step that can be redone.
  ///
  /// - Complexity: O(1).
  public var canRedo: Bool { future.count > 0 }

  /// A field of the present state.
  ///
  /// - Complexity: O(1).
  public subscript<Field>(dynamicMember keyPath: KeyPath<Base, Field>) -> Field { present[keyPath: keyPath] }

  /// Changes the present state, or undoes or redoes a step.
  ///
  /// - Errors: throws what the state throws. Then nothing has changed.
  /// - Complexity: a copy of what changes. `apply` changes each of the snapshots as well, in O(snapshots); one that
  ///   refuses the event stays as it is.
  public mutating func apply(_ event: Revision<Base.Event>) throws(Base.Rejection) {
    switch event {
    case .change(let change, let name):
      // A change that is joined needs no snapshot, so it is made in place.
      let before = name == nil || name != joined ? present : nil
      try present.applyOrStay(change)
      if let before { keep(before) }
      joined = name
      future = Queue()
    case .apply(let change):
      try present.applyOrStay(change)
      past.modifyEach { $0.applyIfItFits(change) }
      future.modifyEach { $0.applyIfItFits(change) }
    case .undo:
      guard let before = past.popLast() else { return }
      future.append(present)
      (present, joined) = (before, nil)
    case .redo:
      guard let after = future.popLast() else { return }
      keep(present)
      (present, joined) = (after, nil)
    }
  }

  private mutating func keep(_ snapshot: Base) {
    past.append(snapshot)
    while past.count > max(0, limit) { past.removeFirst() }
  }
}

extension AggregateState {
  /// Applies an event, or leaves the state as it is and throws.
  fileprivate mutating func applyOrStay(_ event: Event) throws(Rejection) {
    // In place, because nothing is to be taken back.
    if Rejection.self == Never.self { return try apply(event) }
    var changed = self
    try changed.apply(event)
    self = changed
  }
}

extension Undoable: Equatable where Base: Equatable {}
extension Undoable: Encodable where Base: Encodable {}
extension Undoable: Decodable where Base: Decodable {}
