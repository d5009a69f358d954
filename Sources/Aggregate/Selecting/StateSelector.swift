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
  /// The offset of the field in the state, if it is a stored property: then a read is a copy of what is there.
  @usableFromInline package let offset: Int?
  @usableFromInline package let comparison: FieldComparison<Field>
  /// Reads the field, on any thread.
  @usableFromInline package let read: @Sendable (_ state: UnsafePointer<State>) -> Field
  /// Begins a use of the selector, which may remember something from one read to the next. Only the owner of the use
  /// calls what it returns.
  @usableFromInline package let begin: Begin
  /// What reads the field anew in each use; `nil` if a use remembers more than the field.
  @usableFromInline package let update: FieldUpdate?

  /// A use of a selector: the field as it is in a state, and what reads it anew. The two are made where the types are
  /// known, so that reading, comparing and replacing are one piece of specialised code.
  @usableFromInline package typealias Use = (field: Field, update: FieldUpdate)

  /// - Parameter inputs: those of the derivation that this is a part of, which are read anew as one; `nil` outside of
  ///   one.
  @usableFromInline
  package typealias Begin = @Sendable (_ state: UnsafePointer<State>, _ inputs: DerivationInputs?) -> Use

  /// - Parameters:
  ///   - begin: begins a use that remembers something; without it, a use remembers nothing but the field.
  ///   - update: does what reading and comparing does, where one piece of code for both is specialised.
  @inlinable
  @inline(__always)
  package init(
    id: SelectorID,
    offset: Int? = nil,
    comparison: FieldComparison<Field>,
    read: @escaping @Sendable (_ state: UnsafePointer<State>) -> Field,
    begin: Begin? = nil,
    update: FieldUpdate? = nil
  ) {
    self.id = id
    self.offset = offset
    self.comparison = comparison
    self.read = read
    if let begin {
      self.begin = begin
      self.update = update
      return
    }
    let areEquivalent = comparison.areEquivalent
    let update =
      update ?? { state, field in
        field.replaceField(by: read(state.assumingMemoryBound(to: State.self)), unless: areEquivalent)
      }
    self.begin = { state, _ in (read(state), update) }
    self.update = update
  }

  /// A selector of a key path that compares with a closure, or not at all.
  @inlinable
  package init(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    comparing own: (@Sendable (_ old: Field, _ new: Field) -> Bool)?
  ) {
    let offset = MemoryLayout<State>.offset(of: keyPath)
    self.init(
      // Two closures cannot be told apart, so a selector with a comparison is another one each time.
      id: own == nil ? .keyPath(keyPath, .never) : .unique(SelectorID.Token()),
      offset: offset,
      comparison: FieldComparison(own),
      read: { state in
        guard let offset else { return state.pointee[keyPath: keyPath] }
        return state.property(at: offset, as: Field.self).pointee
      }
    )
  }

  /// A selector of a closure that compares with another closure, or not at all.
  @inlinable
  package init(
    _ read: @escaping @Sendable (State) -> Field,
    comparing own: (@Sendable (_ old: Field, _ new: Field) -> Bool)?
  ) {
    self.init(id: .unique(SelectorID.Token()), comparison: FieldComparison(own), read: { $0.read(read) })
  }

  /// The selector itself.
  ///
  /// - Complexity: O(1).
  public var selector: StateSelector<State, Field> { self }

  /// Reads the field of a state, outside of any aggregator.
  ///
  /// - Complexity: one evaluation.
  @inlinable
  public func callAsFunction(_ state: State) -> Field {
    withUnsafePointer(to: state) { read($0) }
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
    } else if let offset = MemoryLayout<State>.offset(of: keyPath) {
      self.init(
        id: .keyPath(keyPath, .equality),
        offset: offset,
        comparison: .equality,
        read: { $0.property(at: offset, as: Field.self).pointee },
        update: { state, field in
          // Compared in place, so that a field that did not change is not retained.
          let new = state.advanced(by: offset).assumingMemoryBound(to: Field.self)
          let field = field.assumingMemoryBound(to: Field.self)
          if isUnchanged(field.pointee, new.pointee) { return false }
          field.pointee = new.pointee
          return true
        }
      )
    } else {
      self.init(
        id: .keyPath(keyPath, .equality),
        comparison: .equality,
        read: { $0.pointee[keyPath: keyPath] }
      )
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
    } else {
      self.init(
        id: .unique(SelectorID.Token()),
        comparison: .equality,
        read: { $0.read(read) },
        update: { state, field in
          field.replaceField(by: state.assumingMemoryBound(to: State.self).read(read)) { isUnchanged($0, $1) }
        }
      )
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
}
