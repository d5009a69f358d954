public import Observation

/// A field of a state that a view has read from an observed object, by its key path. It does not know the types of the
/// state and of the object, so that code which finds it looks no type up.
@MainActor
@usableFromInline
final class TrackedField {
  let keyPath: AnyKeyPath
  /// The offset of the field in the state; `nil` if it is computed from the state.
  @usableFromInline let offset: Int?
  /// The words of the state that the field has bytes in; `nil` if it is computed.
  let words: Range<Int>?
  /// Is `true` from a read until the observers have been told of a change: they have to read again to be told again.
  @usableFromInline @exclusivity(unchecked) var isTracked = false
  /// The number of the last comparison in which it was found.
  var lastComparison = 0

  /// Compares the field in two states, which are at the addresses.
  let isUnchanged: (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool
  /// The path by which observers know the field, that of the property that they read.
  @usableFromInline let path: AnyKeyPath
  @usableFromInline let willSet: (ObservationRegistrar, AnyObject) -> Void
  @usableFromInline let didSet: (ObservationRegistrar, AnyObject) -> Void

  /// - Parameter path: the path by which observers know the field, that of the property that they read. Its root is the
  ///   type of the object that the closures are called with.
  init<State, Subject: Observable & AnyObject, Field>(_ keyPath: KeyPath<State, Field>, path: KeyPath<Subject, Field>) {
    self.keyPath = keyPath
    self.path = path
    let offset = MemoryLayout<State>.offset(of: keyPath)
    self.offset = offset
    words = offset.map { StoredWords.range(ofFieldAt: $0, Field.self) }
    let isEqual = makeComparison(of: Field.self)
    if let offset {
      isUnchanged = { old, new in isEqual(old + offset, new + offset) }
    } else {
      isUnchanged = { old, new in
        withUnsafePointer(to: old.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]) { old in
          withUnsafePointer(to: new.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]) { isEqual(old, $0) }
        }
      }
    }
    willSet = { registrar, observed in registrar.willSet(unsafeDowncast(observed, to: Subject.self), keyPath: path) }
    didSet = { registrar, observed in registrar.didSet(unsafeDowncast(observed, to: Subject.self), keyPath: path) }
  }
}

/// Makes the comparison of two values of a type, which are at the addresses. Values of a type that cannot be compared
/// count as changed.
@usableFromInline
func makeComparison<Field>(of type: Field.Type) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
  func opened<Value: Equatable>(_ type: Value.Type) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
    { old, new in
      // `Value` is the type `Field`, of which it is only known here that it can be compared.
      let (old, new) = (old.assumingMemoryBound(to: Value.self), new.assumingMemoryBound(to: Value.self))
      // What differs from itself holds a NaN, and is not reported again and again.
      return old.pointee == new.pointee || old.pointee != old.pointee && new.pointee != new.pointee
    }
  }
  guard let type = Field.self as? any Equatable.Type else { return { _, _ in false } }
  return opened(type)
}

/// Does the same for two values that are not at an address.
@usableFromInline
func makeValueComparison<Field>(of type: Field.Type) -> (Field, Field) -> Bool {
  let isEqual = makeComparison(of: type)
  return { old, new in withUnsafePointer(to: old) { old in withUnsafePointer(to: new) { isEqual(old, $0) } } }
}
