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

  /// Reads the field, and if it differs from the old one puts it in its place and returns `true`.
  @usableFromInline
  typealias Refresh = @Sendable (borrowing Confined<State>, borrowing Confined<Field>) -> Bool

  @usableFromInline let id: SelectorID
  /// Whether an unchanged field can be told from a changed one.
  @usableFromInline let isComparable: Bool
  @usableFromInline let areEquivalent: @Sendable (_ old: Field, _ new: Field) -> Bool
  /// Makes a read for one place in a tree of selections, with a memory of its own if it needs one.
  @usableFromInline let makeRead: @Sendable () -> Read
  /// Makes the refresh that goes with a read, and shares its memory.
  @usableFromInline let makeRefresh: @Sendable (@escaping Read) -> Refresh

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
    makeRefresh = { read in
      { state, field in
        let new = read(state)
        if areEquivalent(field.value, new) { return false }
        field.value = new
        return true
      }
    }
  }

  /// A selector that remembers nothing. Inlined into the caller, so that a key path or closure written there is compiled
  /// into one direct read and comparison.
  @inlinable
  @inline(__always)
  init(
    id: SelectorID,
    isComparable: Bool,
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool,
    read: @escaping Read
  ) {
    self.id = id
    self.isComparable = isComparable
    self.areEquivalent = areEquivalent
    makeRead = { read }
    makeRefresh = { _ in
      { state, field in
        let new = read(state)
        if areEquivalent(field.value, new) { return false }
        field.value = new
        return true
      }
    }
  }

  /// Reads by key path; directly, if the key path leads to a stored property.
  @inlinable
  @inline(__always)
  static func read(_ keyPath: any KeyPath<State, Field> & Sendable) -> Read {
    let offset = MemoryLayout<State>.offset(of: keyPath)
    return { state in
      if let offset { state.field(at: offset, as: Field.self) } else { state.value[keyPath: keyPath] }
    }
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
    self.init(
      id: .keyPath(keyPath, isComparable: true),
      isComparable: true,
      by: { isUnchanged($0, $1) },
      read: Self.read(keyPath)
    )
  }

  /// Selects a field that cannot be compared, by key path. Its subscribers hear of it at every event.
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public init(_ keyPath: any KeyPath<State, Field> & Sendable) {
    self.init(
      id: .keyPath(keyPath, isComparable: false),
      isComparable: false,
      by: { _, _ in false },
      read: Self.read(keyPath)
    )
  }

  /// Selects by key path, with a comparison of one's own.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether subscribers need not hear of it.
  @inlinable
  @inline(__always)
  public init(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    by areEquivalent: @escaping @Sendable (_ old: Field, _ new: Field) -> Bool
  ) {
    self.init(
      id: .unique(SelectorID.Token()),
      isComparable: true,
      by: areEquivalent,
      read: Self.read(keyPath)
    )
  }

  /// Selects what a closure reads. Its subscribers hear of the field when it differs from what they heard last.
  @inlinable
  @inline(__always)
  public init(_ read: @escaping @Sendable (State) -> Field) where Field: Equatable {
    self.init(
      id: .unique(SelectorID.Token()),
      isComparable: true,
      by: { isUnchanged($0, $1) },
      read: { read($0.value) }
    )
  }

  /// Selects what a closure reads and what cannot be compared. Its subscribers hear of it at every event.
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public init(_ read: @escaping @Sendable (State) -> Field) {
    self.init(
      id: .unique(SelectorID.Token()),
      isComparable: false,
      by: { _, _ in false },
      read: { read($0.value) }
    )
  }

  /// Selects what a closure reads, with a comparison of one's own.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether subscribers need not hear of it.
  @inlinable
  @inline(__always)
  public init(
    _ read: @escaping @Sendable (State) -> Field,
    by areEquivalent: @escaping @Sendable (_ old: Field, _ new: Field) -> Bool
  ) {
    self.init(
      id: .unique(SelectorID.Token()),
      isComparable: true,
      by: areEquivalent,
      read: { read($0.value) }
    )
  }
}
