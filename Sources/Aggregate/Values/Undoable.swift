/// An event of a state that can be undone.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum Revision<Change: Sendable>: Sendable {
  /// Changes the state. What was undone before can no longer be redone.
  case change(Change)

  /// Takes the last change back. Without one it does nothing.
  case undo

  /// Makes the change again that was undone last. Without one it does nothing.
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
/// collections that change in many places is undone by inverse events instead, see ``Reversible``.
///
/// It is `Codable` with the state, and ``Revision`` with its events, so a journal keeps it with all that can be undone.
///
/// - Complexity: a change copies the state, and the collections in it that it changes. How many snapshots are kept
///   makes no difference.
@dynamicMemberLookup
public struct Undoable<Base: AggregateState>: AggregateState {
  /// The present state.
  public private(set) var present: Base

  /// The same for code that is compiled where the type is known, which cannot use a private setter.
  @usableFromInline var changing: Base {
    get { present }
    _modify { yield &present }
  }

  /// The number of changes that can be undone, at most.
  public let limit: Int

  @usableFromInline var past: History<Base>
  @usableFromInline var future: History<Base>

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
  /// - Errors: throws what the state throws. Then nothing has changed.
  /// - Complexity: a copy of what changes.
  @inlinable
  public mutating func apply(_ event: Revision<Base.Event>) throws(Base.Rejection) {
    switch event {
    case .change(let event):
      var changed = present
      try changed.apply(event)
      past.append(present, limit: limit)
      future.removeAll()
      changing = changed
    case .undo:
      guard let before = past.popLast() else { return }
      future.append(present, limit: limit)
      changing = before
    case .redo:
      guard let after = future.popLast() else { return }
      past.append(present, limit: limit)
      changing = after
    }
    assert(past.count <= limit && future.count <= limit, "More snapshots are kept than the limit allows.")
  }
}

extension Undoable: Equatable where Base: Equatable {}

extension Undoable: Encodable where Base: Encodable {
  /// Encodes the present state, and what can be undone and redone.
  public func encode(to encoder: any Encoder) throws {
    try CodedHistory(present: present, limit: limit, past: past, future: future).encode(to: encoder)
  }
}

extension Undoable: Decodable where Base: Decodable {
  /// Decodes a state, and what can be undone and redone.
  ///
  /// - Errors: throws `DecodingError.dataCorrupted` if there are more steps than the limit allows.
  public init(from decoder: any Decoder) throws {
    let coded = try CodedHistory<Base, Base, Base>(from: decoder)
    self.init(coded.present, limit: coded.limit)
    (past, future) = (coded.past, coded.future)
  }
}
