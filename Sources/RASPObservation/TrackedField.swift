import Aggregate
public import Observation

/// A field of a state that a view has read from an observed object, by its key path.
@MainActor
@usableFromInline
final class TrackedField<State: AggregateState, Subject: Observation.Observable> {
  let keyPath: PartialKeyPath<State>
  /// The offset of the field in the state; `nil` if it is computed from the state.
  @usableFromInline let offset: Int?
  /// The words of the state that the field has bytes in; `nil` if it is computed.
  let words: Range<Int>?
  /// Is `true` from a read until the observers have been told of a change: they have to read again to be told again.
  @usableFromInline @exclusivity(unchecked) var isTracked = false
  /// The number of the last comparison in which it was found.
  var lastComparison = 0

  let isUnchanged: (_ old: UnsafePointer<State>, _ new: UnsafePointer<State>) -> Bool
  @usableFromInline let access: (ObservationRegistrar, Subject) -> Void
  @usableFromInline let willSet: (ObservationRegistrar, Subject) -> Void
  @usableFromInline let didSet: (ObservationRegistrar, Subject) -> Void

  /// - Parameter path: the path by which observers know the field, that of the property that they read.
  init<Field>(_ keyPath: KeyPath<State, Field>, path: KeyPath<Subject, Field>) {
    self.keyPath = keyPath
    offset = MemoryLayout<State>.offset(of: keyPath)
    words = offset.map { StoredWords.range(ofFieldAt: $0, Field.self) }
    let isEqual = makeComparison(of: Field.self)
    if let offset {
      isUnchanged = { old, new in isEqual(UnsafeRawPointer(old) + offset, UnsafeRawPointer(new) + offset) }
    } else {
      isUnchanged = { old, new in
        withUnsafePointer(to: old.pointee[keyPath: keyPath]) { old in
          withUnsafePointer(to: new.pointee[keyPath: keyPath]) { new in isEqual(old, new) }
        }
      }
    }
    access = { registrar, observed in registrar.access(observed, keyPath: path) }
    willSet = { registrar, observed in registrar.willSet(observed, keyPath: path) }
    didSet = { registrar, observed in registrar.didSet(observed, keyPath: path) }
  }
}

