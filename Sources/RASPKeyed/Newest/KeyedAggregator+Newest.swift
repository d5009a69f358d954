public import Aggregate
public import Streams

extension KeyedAggregator {
  /// What has changed of a field of some rows since the last look: for a reader that is slower than the events.
  ///
  ///     for await changes in quotes.newest(of: symbols, \.price) { … }
  ///
  /// A row that is not there has the value `nil`; it may come and go.
  ///
  /// - Parameters:
  ///   - keys: the keys of the rows.
  ///   - keyPath: leads to the field.
  /// - Complexity: see ``NewestByKey``.
  @inlinable
  public func newest<Field: Equatable & Sendable>(
    of keys: some Sequence<Key>,
    _ keyPath: any KeyPath<State, Field> & Sendable
  ) -> NewestByKey<Key, Field?> {
    newest(of: keys, StateSelector(keyPath))
  }

  /// What has changed since the last look of what a selector reads of some rows.
  ///
  /// - Parameters:
  ///   - keys: the keys of the rows.
  ///   - selector: a `StateSelector`.
  /// - Complexity: see ``NewestByKey``.
  @inlinable
  public func newest<Field: Sendable>(
    of keys: some Sequence<Key>,
    _ selector: any StateReading<State, Field>
  ) -> NewestByKey<Key, Field?> {
    NewestByKey(keys.map { (key: $0, stream: self[$0].select(selector).observable) })
  }

  /// What has changed of a field of all rows since the last look. A row that is removed is not reported.
  ///
  /// - Parameter keyPath: leads to the field.
  /// - Complexity: see ``NewestByKey`` and ``each(_:)-(KeyPath<State,Field>Sendable)``.
  @inlinable
  public func newest<Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<State, Field> & Sendable
  ) -> NewestByKey<Key, Field> {
    NewestByKey(each(keyPath))
  }
}
