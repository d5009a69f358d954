import Streams

extension StateSelector {
  /// This selector, and in the field it reads another one.
  ///
  ///     StateSelector(\AppState.boat).appending(StateSelector(\Boat.speed))
  ///
  /// Compares as `inner` does.
  public func appending<Inner: Sendable>(_ inner: StateSelector<Field, Inner>) -> StateSelector<State, Inner> {
    let outer = self
    return StateSelector<State, Inner>(
      id: .path(id, inner.id),
      isComparable: inner.isComparable,
      by: inner.areEquivalent
    ) {
      let readOuter = outer.makeRead()
      let readInner = inner.makeRead()
      return { readInner(Confined(readOuter($0))) }
    }
  }

  /// This selector, and what a key path reads in its field.
  public func appending<Inner: Equatable & Sendable>(
    _ keyPath: any KeyPath<Field, Inner> & Sendable
  ) -> StateSelector<State, Inner> {
    appending(StateSelector<Field, Inner>(keyPath))
  }

  /// This selector, and what a closure makes of its field.
  public func appending<Inner: Equatable & Sendable>(
    _ transform: @escaping @Sendable (Field) -> Inner
  ) -> StateSelector<State, Inner> {
    appending(StateSelector<Field, Inner>(transform))
  }
}
