import Aggregate

/// The readers of stored properties, made once for many things that have the same properties: the rows of a shard. A
/// reader that remembers nothing serves all of them, so its closures are in the cache, and a selection of a row needs
/// none of its own.
///
/// It holds one reader for each property that was selected, and no other selectors: few enough to look at each.
@usableFromInline
struct SharedReaders {
  @usableFromInline
  struct Entry {
    @usableFromInline let hash: Int32
    @usableFromInline let id: SelectorID
    @usableFromInline let reader: AnyObject

    @inlinable
    init(hash: Int32, id: SelectorID, reader: AnyObject) {
      self.hash = hash
      self.id = id
      self.reader = reader
    }
  }

  /// A reader as an object, whose type is compared in a few instructions.
  @usableFromInline
  final class Shared<State: Sendable, Field: Sendable> {
    @usableFromInline let reader: FieldReader<State, Field>

    @inlinable
    init(_ reader: FieldReader<State, Field>) {
      self.reader = reader
    }
  }

  @usableFromInline var entries: [Entry] = []

  @usableFromInline
  init() {}

  /// The reader of a selector: one that is there, or a new one.
  ///
  /// - Parameter hash: the `shortHash` of the selector.
  @inlinable
  mutating func reader<State: Sendable, Field: Sendable>(
    of selector: StateSelector<State, Field>,
    with hash: Int32
  ) -> FieldReader<State, Field> {
    guard selector.isStoredProperty else { return selector.makeReader() }
    for index in entries.indices where entries[index].hash == hash && entries[index].id == selector.id {
      if let shared = entries[index].reader as? Shared<State, Field> { return shared.reader }
    }
    let reader = selector.makeReader()
    entries.append(Entry(hash: hash, id: selector.id, reader: Shared(reader)))
    return reader
  }
}
