/// The readers of stored properties, made once for many things that have the same properties: the rows of a shard. A reader
/// that remembers nothing serves all of them, so its closures are in the cache, and a selection of a row needs none of its
/// own.
///
/// It holds one reader for each property that was selected, and no other selectors.
@usableFromInline
struct SharedReaders {
  private var readers: [SelectorID: any Sendable] = [:]

  @usableFromInline
  init() {}

  /// The reader of a selector: one that is there, or a new one.
  @usableFromInline
  mutating func reader<State: Sendable, Field: Sendable>(
    of selector: StateSelector<State, Field>
  ) -> FieldReader<State, Field> {
    guard selector.isStoredProperty else { return selector.makeReader() }
    if let reader = readers[selector.id] as? FieldReader<State, Field> { return reader }
    let reader = selector.makeReader()
    readers[selector.id] = reader
    return reader
  }
}
