import Streams

/// A pure read of one field of a state: a value that can be kept, reused, extended and combined.
///
///     let speed = StateSelector(\NavigationState.speed)
///     let isMoving = speed.appending { $0 > 0.5 }
///
/// An ``Aggregator`` evaluates a selector once per event, however many listen to it. Two selectors are the same if they
/// were made from the same key paths, or if one is a copy of the other; a closure makes a new one each time, so keep
/// such a selector where several share it.
///
/// A selector must depend on nothing but the state.
public struct StateSelector<State: Sendable, Field: Sendable>: Sendable {
  /// Reads the field.
  @usableFromInline
  typealias Read = @Sendable (borrowing Confined<State>) -> Field

  /// Reads the field into a node; if it differs from what was there, notes who listens to it and goes on below.
  @usableFromInline
  typealias Update = @Sendable (borrowing Confined<State>) -> Void

  @usableFromInline let id: SelectorID
  /// Whether an unchanged field can be told from a changed one.
  @usableFromInline let isComparable: Bool
  @usableFromInline let areEquivalent: @Sendable (_ old: Field, _ new: Field) -> Bool
  /// Makes a read for one place in a tree of selections, with a memory of its own if it needs one.
  @usableFromInline let makeRead: @Sendable () -> Read
  /// Makes the update of a node, which goes with a read and shares its memory. One closure, so that reading, comparing,
  /// replacing and noting are one piece of code.
  @usableFromInline let makeUpdate: @Sendable (@escaping Read, SelectionNode<Field>, Round) -> Update

  /// A selector whose reads remember something.
  @inlinable
  init(
    id: SelectorID,
    isComparable: Bool,
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool,
    makeRead: @escaping @Sendable () -> Read
  ) {
    self.id = id
    self.isComparable = isComparable
    self.areEquivalent = areEquivalent
    self.makeRead = makeRead
    makeUpdate = { read, node, round in
      { state in
        node.update(to: read(state), in: round, unless: areEquivalent)
      }
    }
  }

  /// A selector of a key path. Inlined into the caller, so that reading, comparing and replacing are one piece of code.
  @inlinable
  @inline(__always)
  init<Comparison: FieldComparison<Field>>(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    comparing comparison: Comparison.Type
  ) {
    let offset = MemoryLayout<State>.offset(of: keyPath)
    id = .keyPath(keyPath, isComparable: Comparison.isComparable)
    isComparable = Comparison.isComparable
    areEquivalent = { Comparison.areEquivalent($0, $1) }
    makeRead = { { Self.read(keyPath, at: offset, in: $0) } }
    makeUpdate = { _, node, round in
      guard let offset else {
        return { state in
          node.update(to: state.value[keyPath: keyPath], in: round) { Comparison.areEquivalent($0, $1) }
        }
      }
      return { state in
        node.update(to: state[offset, Field.self], in: round) { Comparison.areEquivalent($0, $1) }
      }
    }
  }

  /// A selector of a closure, likewise.
  @inlinable
  @inline(__always)
  init<Comparison: FieldComparison<Field>>(
    _ read: @escaping @Sendable (State) -> Field,
    comparing comparison: Comparison.Type
  ) {
    id = .unique(SelectorID.Token())
    isComparable = Comparison.isComparable
    areEquivalent = { Comparison.areEquivalent($0, $1) }
    makeRead = { { read($0.value) } }
    makeUpdate = { _, node, round in
      { state in
        node.update(to: read(state.value), in: round) { Comparison.areEquivalent($0, $1) }
      }
    }
  }

  /// Reads by key path; directly, if the key path leads to a stored property.
  @inlinable
  @inline(__always)
  static func read(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    at offset: Int?,
    in state: borrowing Confined<State>
  ) -> Field {
    if let offset { state[offset, Field.self] } else { state.value[keyPath: keyPath] }
  }

  /// The field of a state, read outside of any aggregator.
  public func callAsFunction(_ state: State) -> Field {
    makeRead()(Confined(state))
  }
}

extension StateSelector {
  /// Selects by key path. Its subscribers hear of the field when it differs from what they heard last.
  @inlinable
  @inline(__always)
  public init(_ keyPath: any KeyPath<State, Field> & Sendable) where Field: Equatable {
    self.init(keyPath, comparing: ByEquality<Field>.self)
  }

  /// Selects a field that cannot be compared, by key path. Its subscribers hear of it at every event.
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public init(_ keyPath: any KeyPath<State, Field> & Sendable) {
    self.init(keyPath, comparing: Incomparable<Field>.self)
  }

  /// Selects by key path, with a comparison of one's own.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether subscribers need not hear of it.
  @inlinable
  public init(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    by areEquivalent: @escaping @Sendable (_ old: Field, _ new: Field) -> Bool
  ) {
    let offset = MemoryLayout<State>.offset(of: keyPath)
    self.init(id: .unique(SelectorID.Token()), isComparable: true, by: areEquivalent) {
      { Self.read(keyPath, at: offset, in: $0) }
    }
  }

  /// Selects what a closure reads. Its subscribers hear of the field when it differs from what they heard last.
  @inlinable
  @inline(__always)
  public init(_ read: @escaping @Sendable (State) -> Field) where Field: Equatable {
    self.init(read, comparing: ByEquality<Field>.self)
  }

  /// Selects what a closure reads and what cannot be compared. Its subscribers hear of it at every event.
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public init(_ read: @escaping @Sendable (State) -> Field) {
    self.init(read, comparing: Incomparable<Field>.self)
  }

  /// Selects what a closure reads, with a comparison of one's own.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether subscribers need not hear of it.
  @inlinable
  public init(
    _ read: @escaping @Sendable (State) -> Field,
    by areEquivalent: @escaping @Sendable (_ old: Field, _ new: Field) -> Bool
  ) {
    self.init(id: .unique(SelectorID.Token()), isComparable: true, by: areEquivalent) { { read($0.value) } }
  }
}
