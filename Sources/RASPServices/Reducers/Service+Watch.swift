extension Service {
  /// Calls `watch` with the state of each ``Reducer`` of this state under this: with the one it begins with, while the
  /// cluster is made, and whenever it has changed.
  ///
  ///     ArticlesService().watch(ArticlesState.self) { @MainActor state in list.show(state.articles) }
  ///
  /// It reads a `Selection` of the whole state. A state that is `Equatable` is heard of when it differs from the one
  /// before, any other at each action.
  ///
  /// - Ordering: each call gets the snapshot of one action, in the order in which the state went through them; one call at
  ///   a time, and the action whose snapshot it is waits for it. Several watchers are all called, the outermost first.
  /// - Reentrancy: what a watcher sends is put in line, as in a mutation: see ``Store``. While the cluster is made, it is
  ///   sent when all watchers have been told.
  public func watch<State: Sendable>(
    _ type: State.Type,
    _ watch: @escaping @Sendable (State) async -> Void
  ) -> some Service {
    placed("watch(\(State.self))") { place, building in
      let watcher = Watcher<State>(scope: place.scope, watch)
      let given = Given<any AnyWatcher>(watcher, name: "\(State.self)", place: place.name)
      place.watchers[ObjectIdentifier(State.self), default: []].append(given)
      building.add(given)
    }
  }
}
