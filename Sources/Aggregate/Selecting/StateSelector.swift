import RASPPrimitives
import Streams

/// Something that reads one field of a state: a ``StateSelector``, or a type of an application that holds one.
public protocol StateReading<State, Field>: Sendable {
  /// The type that is read from.
  associatedtype State: Sendable

  /// The type of the field that is read.
  associatedtype Field: Sendable

  /// The selector that reads it.
  var selector: StateSelector<State, Field> { get }
}

/// A pure read of one field of a state: a value that can be kept, reused, extended and combined.
///
///     let speed = StateSelector(\NavigationState.speed)
///     let isMoving = speed.appending { $0 > 0.5 }
///
/// An ``Aggregator`` evaluates a selector once per event, however many subscribers it has. Two selectors are the same
/// if they were made from the same key paths, or if one is a copy of the other; a closure makes a new one each time, so
/// keep such a selector where several subscribers share it.
///
/// A selector must depend on nothing but the state. If the state has a field of class type, see ``AggregateState``: a
/// change inside the object is not seen.
///
/// - Complexity: a stored property is read in O(1) from where it is, and a closure is called with the state as it is:
///   neither copies the state. A key path that leads through an optional, a subscript or a computed property is
///   interpreted at each event; a closure is faster.
public struct StateSelector<State: Sendable, Field: Sendable>: StateReading {
  @usableFromInline package let id: SelectorID
  /// The offset of the field in the state, if it is a stored property.
  @usableFromInline package let offset: Int?
  /// Is `true` if a field of this very type is at the offset, so that a copy of it is all that a read takes.
  @usableFromInline package let isInPlace: Bool
  /// Is `true` if an unchanged field can be told from a changed one.
  @usableFromInline package let isComparable: Bool
  @usableFromInline package let areEquivalent: @Sendable (_ old: Field, _ new: Field) -> Bool
  /// Is `true` if equivalent fields are equal, so that one may stand for the other.
  @usableFromInline package let isExact: Bool
  /// Makes a reader for one use of the selector.
  @usableFromInline package let makeReader: @Sendable () -> FieldReader<State, Field>
  /// The read of what is not in place, outside of a tree of selections: the closure itself, or what remembers the last
  /// result of a derivation.
  @usableFromInline let recall: (@Sendable (State) -> Field)?

  @inlinable
  package init(
    id: SelectorID,
    offset: Int? = nil,
    isInPlace: Bool = false,
    isComparable: Bool,
    isExact: Bool = false,
    comparing areEquivalent: @escaping @Sendable (Field, Field) -> Bool,
    recall: (@Sendable (State) -> Field)? = nil,
    makeReader: @escaping @Sendable () -> FieldReader<State, Field>
  ) {
    self.id = id
    self.offset = offset
    self.isInPlace = isInPlace
    self.isComparable = isComparable
    self.areEquivalent = areEquivalent
    self.isExact = isExact
    self.recall = recall
    self.makeReader = makeReader
  }

  /// The selector itself.
  ///
  /// - Complexity: O(1).
  public var selector: StateSelector<State, Field> { self }

  /// Reads the field of a state, outside of any aggregator.
  ///
  /// - Complexity: one evaluation. A selector that combines others derives again only if one of them differs from the
  ///   last read.
  @inlinable
  public func callAsFunction(_ state: State) -> Field {
    if isInPlace, let offset { return withUnsafePointer(to: state) { $0.property(at: offset, as: Field.self).pointee } }
    if let recall { return recall(state) }
    return withUnsafePointer(to: state) { makeReader().read($0) }
  }
}

extension StateSelector {
  /// Selects by key path. Its subscribers get the field when it differs from what they got last; a floating-point field
  /// that stays NaN is reported once.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it
  ///     the fields are compared with `==`.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public init(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) where Field: Equatable {
    if let areEquivalent {
      self.init(keyPath, comparing: areEquivalent)
      return
    }
    let offset = MemoryLayout<State>.offset(of: keyPath)
    var interpret: (@Sendable (State) -> Field)?
    if offset == nil { interpret = { $0[keyPath: keyPath] } }
    self.init(
      id: .keyPath(keyPath, isComparable: true),
      offset: offset,
      isInPlace: offset != nil,
      isComparable: true,
      isExact: true,
      comparing: { isUnchanged($0, $1) },
      recall: interpret
    ) {
      guard let offset else {
        return FieldReader(read: { $0.pointee[keyPath: keyPath] }) { state, field in
          let new = state.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]
          let field = field.assumingMemoryBound(to: Field.self)
          if isUnchanged(field.pointee, new) { return false }
          field.pointee = new
          return true
        }
      }
      return FieldReader(read: { $0.property(at: offset, as: Field.self).pointee }) { state, field in
        // Compared in place, so that a field that did not change is not retained.
        let new = state.advanced(by: offset).assumingMemoryBound(to: Field.self)
        let field = field.assumingMemoryBound(to: Field.self)
        if isUnchanged(field.pointee, new.pointee) { return false }
        field.pointee = new.pointee
        return true
      }
    }
  }

  /// Selects a field that cannot be compared, by key path. Its subscribers get it at every event, unless a comparison
  /// is given.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public init(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) {
    self.init(keyPath, comparing: areEquivalent)
  }

  /// Selects what a closure reads. Its subscribers get the field when it differs from what they got last.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it
  ///     the fields are compared with `==`.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public init(
    _ read: @escaping @Sendable (State) -> Field,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) where Field: Equatable {
    if let areEquivalent {
      self.init(read, comparing: areEquivalent)
      return
    }
    self.init(
      id: .unique(SelectorID.Token()),
      isComparable: true,
      isExact: true,
      comparing: { isUnchanged($0, $1) },
      recall: read
    ) {
      FieldReader(read: { $0.read(read) }) { state, field in
        let new = state.assumingMemoryBound(to: State.self).read(read)
        let field = field.assumingMemoryBound(to: Field.self)
        if isUnchanged(field.pointee, new) { return false }
        field.pointee = new
        return true
      }
    }
  }

  /// Selects what a closure reads and what cannot be compared. Its subscribers get it at every event, unless a
  /// comparison is given.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public init(
    _ read: @escaping @Sendable (State) -> Field,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) {
    self.init(read, comparing: areEquivalent)
  }

  /// A selector of a key path that compares with a closure, or not at all.
  @inlinable
  package init(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    comparing areEquivalent: (@Sendable (Field, Field) -> Bool)?
  ) {
    let offset = MemoryLayout<State>.offset(of: keyPath)
    var interpret: (@Sendable (State) -> Field)?
    if offset == nil { interpret = { $0[keyPath: keyPath] } }
    self.init(
      // Two closures cannot be told apart, so a selector with a comparison is another one each time.
      id: areEquivalent == nil ? .keyPath(keyPath, isComparable: false) : .unique(SelectorID.Token()),
      offset: offset,
      isInPlace: offset != nil,
      isComparable: areEquivalent != nil,
      comparing: areEquivalent ?? { _, _ in false },
      recall: interpret
    ) {
      FieldReader(comparing: areEquivalent ?? { _, _ in false }) { state in
        guard let offset else { return state.pointee[keyPath: keyPath] }
        return state.property(at: offset, as: Field.self).pointee
      }
    }
  }

  /// A selector of a closure that compares with another closure, or not at all.
  @inlinable
  package init(
    _ read: @escaping @Sendable (State) -> Field,
    comparing areEquivalent: (@Sendable (Field, Field) -> Bool)?
  ) {
    self.init(
      id: .unique(SelectorID.Token()),
      isComparable: areEquivalent != nil,
      comparing: areEquivalent ?? { _, _ in false },
      recall: read
    ) {
      FieldReader(comparing: areEquivalent ?? { _, _ in false }) { $0.read(read) }
    }
  }
}
