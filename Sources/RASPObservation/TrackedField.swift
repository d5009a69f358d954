public import Observation
import func Streams.isUnchanged

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
  /// The number of the last comparison in which it was found.
  var lastComparison = 0

  /// Compares the field in two states, which are at the addresses.
  let isUnchanged: (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool
  /// The path by which observers know the field, that of the property that they read. It is an object that was made for
  /// this field, and an observer keeps it until it has been told of a change.
  @usableFromInline @exclusivity(unchecked) var path: AnyKeyPath
  // They do not keep the path.
  @usableFromInline let willSet: (ObservationRegistrar, AnyObject, _ path: AnyKeyPath) -> Void
  @usableFromInline let didSet: (ObservationRegistrar, AnyObject, _ path: AnyKeyPath) -> Void

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
      isUnchanged = { old, new in
        // What has the same memory has not changed, also if it does not equal itself or cannot be compared.
        let (old, new) = (old + offset, new + offset)
        let bytes = UnsafeRawBufferPointer(start: old, count: MemoryLayout<Field>.size)
        return bytes.elementsEqual(UnsafeRawBufferPointer(start: new, count: bytes.count)) || isEqual(old, new)
      }
    } else {
      isUnchanged = { old, new in
        withUnsafePointer(to: old.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]) { old in
          withUnsafePointer(to: new.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]) { isEqual(old, $0) }
        }
      }
    }
    willSet = {
      $0.willSet(unsafeDowncast($1, to: Subject.self), keyPath: unsafeDowncast($2, to: KeyPath<Subject, Field>.self))
    }
    didSet = {
      $0.didSet(unsafeDowncast($1, to: Subject.self), keyPath: unsafeDowncast($2, to: KeyPath<Subject, Field>.self))
    }
  }

  /// Is `true` if an observer waits to be told of a change: then something else keeps the path.
  var isAwaited: Bool { !isKnownUniquelyReferenced(&path) }
}

/// Makes the comparison of two values of a type, which are at the addresses. Values of a type that cannot be compared
/// count as changed.
@usableFromInline
func makeComparison<Field>(of type: Field.Type) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
  func opened<Value: Equatable>(_ type: Value.Type) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
    { old, new in
      // `Value` is the type `Field`, of which it is only known here that it can be compared.
      let (old, new) = (old.assumingMemoryBound(to: Value.self), new.assumingMemoryBound(to: Value.self))
      return isUnchanged(old.pointee, new.pointee)
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
