public import Observation

/// The fields of a state that have been read, found by their key paths and by where they are in the state.
///
/// ```
///   state   | name  name | count | address  address  address |
///   words     0     1      2       3        4        5
///   fields  \.name         \.count \.address                     and those without a place: \.[row: 7], \.isValid
/// ```
///
/// A change is found by comparing the memory of two states. So a field whose memory is the same costs nothing, however
/// many there are. A computed field has no place and is compared by itself, and is forgotten if no observer waits for
/// it.
///
/// It is compiled once for all states, and looks no type up when a field is read or a change is found.
///
/// A comparison runs user code, which may read fields. So nothing here is changed while it runs, and what it walks over
/// are copies.
@MainActor
@usableFromInline
final class TrackedFields {
  private var fields: [AnyKeyPath: TrackedField] = [:]
  private var stored: [[TrackedField]]
  private var computed: [TrackedField] = []
  private var comparisons = 0
  private var sweepAt = 64
  /// Key paths that were read last, and their fields. A literal is one object each time that its line runs, so the
  /// field is found without hashing the key path. The key paths are retained, so that no other is at their address.
  @usableFromInline @exclusivity(unchecked) var recent: [(keyPath: AnyKeyPath, field: TrackedField)?] = []

  private let stateSize: Int

  /// - Parameter stateSize: the size of the state, in bytes.
  @usableFromInline
  init(stateSize: Int) {
    self.stateSize = stateSize
    stored = Array(repeating: [], count: StoredWords.count(ofBytes: stateSize))
  }

  /// The number of fields that are remembered.
  var count: Int { fields.count }

  /// The place of a key path among the recent ones. Objects are aligned to 16 bytes, so the lowest bits tell nothing.
  @inlinable
  @inline(__always)
  func place(of keyPath: AnyObject) -> Int {
    let address = UInt(bitPattern: ObjectIdentifier(keyPath))
    return Int(truncatingIfNeeded: (address >> 4 ^ address >> 9) & 15)
  }

  /// The field of a key path, if it was read lately.
  @inlinable
  @inline(__always)
  func trackRecent(_ keyPath: AnyKeyPath) -> TrackedField? {
    guard !recent.isEmpty, let found = recent[place(of: keyPath)], found.keyPath === keyPath else { return nil }
    return found.field
  }

  /// The field of a key path.
  ///
  /// - Parameter path: makes the path by which observers know the field. It is an object of its own, so it is made once
  ///   for each field.
  @usableFromInline
  func track<State, Subject: Observable & AnyObject, Value>(
    _ keyPath: KeyPath<State, Value>,
    path: () -> KeyPath<Subject, Value>
  ) -> TrackedField {
    let field = fields[keyPath] ?? addField(keyPath, path: path())
    remember(field, for: keyPath)
    return field
  }

  /// Has a field found by a key path, until another one takes its place.
  @usableFromInline
  func remember(_ field: TrackedField, for keyPath: AnyKeyPath) {
    if recent.isEmpty { recent = Array(repeating: nil, count: 16) }
    recent[place(of: keyPath)] = (keyPath, field)
  }

  private func addField<State, Subject: Observable & AnyObject, Value>(
    _ keyPath: KeyPath<State, Value>,
    path: KeyPath<Subject, Value>
  ) -> TrackedField {
    if fields.count >= sweepAt { sweep() }
    let field = TrackedField(keyPath, path: path)
    fields[keyPath] = field
    insert(field)
    return field
  }

  /// The fields that differ in two states, which are at the addresses, and that an observer waits for. To be told again
  /// it has to read them again.
  @usableFromInline
  func takeChanged(from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> [TrackedField] {
    if fields.isEmpty { return [] }
    comparisons += 1
    var candidates: [TrackedField] = []
    StoredWords.forEachDifference(old, new, count: stateSize) { word in
      for field in stored[word] where field.isAwaited && field.lastComparison != comparisons {
        field.lastComparison = comparisons
        candidates.append(field)
      }
    }
    let awaited = computed.filter { $0.isAwaited }
    // Many that were read once would cost each event a look.
    if computed.count > 2 * awaited.count + 16 { sweep() }
    candidates += awaited
    return candidates.filter { !$0.isUnchanged(old, new) }
  }

  private func insert(_ field: TrackedField) {
    guard let words = field.words else { return computed.append(field) }
    assert(words.upperBound <= stored.count, "A field reaches beyond its state.")
    for word in words { stored[word].append(field) }
  }

  /// Forgets the fields that no observer waits for: a key path with an argument, such as the number of a row, may have
  /// been read once and never again.
  private func sweep() {
    fields = fields.filter { $0.value.isAwaited }
    computed = computed.filter { $0.isAwaited }
    for word in stored.indices { stored[word] = stored[word].filter { $0.isAwaited } }
    recent = []
    sweepAt = max(64, fields.count * 2)
  }
}
