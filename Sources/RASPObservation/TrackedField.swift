import Aggregate
import Observation

/// A field of a state that a view has read from an observed object, by its key path.
@MainActor
final class TrackedField<State: AggregateState, Subject: Observation.Observable> {
  let keyPath: PartialKeyPath<State>
  /// The words of the state that the field has bytes in; `nil` if it is computed from the state.
  let words: Range<Int>?
  /// Is `true` from a read until the observers have been told of a change: they have to read again to be told again.
  var isTracked = false
  /// The number of the last comparison in which it was found.
  var lastComparison = 0

  let isUnchanged: (_ old: State, _ new: State) -> Bool
  let access: (ObservationRegistrar, Subject) -> Void
  let willSet: (ObservationRegistrar, Subject) -> Void
  let didSet: (ObservationRegistrar, Subject) -> Void

  /// - Parameter path: the path by which observers know the field, that of the property that they read.
  init<Field>(_ keyPath: KeyPath<State, Field>, path: KeyPath<Subject, Field>) {
    self.keyPath = keyPath
    words = MemoryLayout<State>.offset(of: keyPath).map { StoredWords.range(ofFieldAt: $0, Field.self) }
    isUnchanged = makeComparison(of: keyPath)
    access = { registrar, observed in registrar.access(observed, keyPath: path) }
    willSet = { registrar, observed in registrar.willSet(observed, keyPath: path) }
    didSet = { registrar, observed in registrar.didSet(observed, keyPath: path) }
  }
}

/// Makes the comparison of a field in two states. A field whose type cannot be compared counts as changed.
func makeComparison<State, Field>(of keyPath: KeyPath<State, Field>) -> (State, State) -> Bool {
  func opened<Value: Equatable>(_ type: Value.Type) -> (State, State) -> Bool {
    guard let keyPath = keyPath as? KeyPath<State, Value> else { return { _, _ in false } }
    return { old, new in
      let (old, new) = (old[keyPath: keyPath], new[keyPath: keyPath])
      // What differs from itself holds a NaN, and is not reported again and again.
      return old == new || old != old && new != new
    }
  }
  guard let type = Field.self as? any Equatable.Type else { return { _, _ in false } }
  return opened(type)
}
