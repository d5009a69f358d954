import Aggregate
import Observation

/// The fields of a state that have been read, found by their key paths and by where they are in the state.
///
/// ```
///   state   | name  name | count | address  address  address |
///   words     0     1      2       3        4        5
///   fields  \.name         \.count \.address                     and those without a place: \.[row: 7], \.isValid
/// ```
///
/// A change is found by comparing the memory of two states. So a field whose memory is the same costs nothing, however
/// many there are. A computed field has no place and is compared by itself.
///
/// A comparison runs user code, which may read fields. So nothing here is changed while it runs, and what it walks over
/// are copies.
@MainActor
final class TrackedFields<State: AggregateState, Subject: Observation.Observable> {
  private var fields: [PartialKeyPath<State>: TrackedField<State, Subject>] = [:]
  private var stored: [[TrackedField<State, Subject>]]
  private var computed: [TrackedField<State, Subject>] = []
  private var comparisons = 0
  private var sweepAt = 64

  init() {
    stored = Array(repeating: [], count: StoredWords.count(of: State.self))
  }

  /// The number of fields that are remembered.
  var count: Int { fields.count }

  /// The field of a key path, which is tracked from now on.
  func track<Field>(_ keyPath: KeyPath<State, Field>, path: KeyPath<Subject, Field>) -> TrackedField<State, Subject> {
    if let field = fields[keyPath] {
      field.isTracked = true
      return field
    }
    if fields.count >= sweepAt { sweep() }
    let field = TrackedField(keyPath, path: path)
    field.isTracked = true
    fields[keyPath] = field
    insert(field)
    return field
  }

  /// The tracked fields that differ in two states. They are not tracked any more, until they are read again.
  func takeChanged(from old: inout State, to new: inout State) -> [TrackedField<State, Subject>] {
    guard !fields.isEmpty else { return [] }
    comparisons += 1
    var candidates: [TrackedField<State, Subject>] = []
    for word in StoredWords.differences(&old, &new) {
      for field in stored[word] where field.isTracked && field.lastComparison != comparisons {
        field.lastComparison = comparisons
        candidates.append(field)
      }
    }
    for field in computed where field.isTracked { candidates.append(field) }
    guard !candidates.isEmpty else { return [] }
    let (before, after) = (old, new)
    let changed = candidates.filter { !$0.isUnchanged(before, after) }
    for field in changed { field.isTracked = false }
    return changed
  }

  private func insert(_ field: TrackedField<State, Subject>) {
    guard let words = field.words else { return computed.append(field) }
    assert(words.upperBound <= stored.count, "A field reaches beyond its state.")
    for word in words { stored[word].append(field) }
  }

  /// Forgets the fields that are not tracked: a key path with an argument, such as the number of a row, may have been
  /// read once and never again.
  private func sweep() {
    fields = fields.filter { $0.value.isTracked }
    computed = computed.filter(\.isTracked)
    for word in stored.indices { stored[word] = stored[word].filter(\.isTracked) }
    sweepAt = max(64, fields.count * 2)
  }
}
