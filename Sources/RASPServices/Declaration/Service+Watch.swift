extension Service {
  /// Calls `watch` with the states of each ``Reducer`` of this state under this service: with the first state while the
  /// cluster is made, and with each state after a change.
  ///
  ///     ArticlesService().watch(ArticlesState.self) { @MainActor state in list.show(state.articles) }
  ///
  /// A state that is a value and `Equatable` is passed on if it differs from the one before, and any other after each
  /// action. An object is always equal to itself, so a state that is an object is passed on after each action.
  ///
  /// - Ordering: the calls follow the order of the states, one call at a time. The action that made a state waits for
  ///   the calls with it. Several watchers are all called, the outermost first.
  /// - Concurrency: an action that a watcher sends is postponed, as in a mutation: see ``Store``. While the cluster is
  ///   made, it is sent when all watchers have been called.
  /// - Errors: `watch` cannot throw.
  /// - Parameters:
  ///   - type: the type of the state.
  ///   - watch: gets the states.
  public func watch<State: Sendable>(
    _ type: State.Type,
    _ watch: @escaping @Sendable (State) async -> Void
  ) -> some Service {
    modified("watch(\(State.self))") { placement, reader in
      let (name, place) = ("\(State.self)", placement.context.place)
      let watcher = Provided(Watcher<State>(scope: placement.context.scope, watch), name: name, place: place)
      placement.context.watchers[ObjectIdentifier(State.self), default: []].append(watcher)
      reader.expectUse(of: watcher, or: .unusedWatcher(state: name, place: place))
    }
  }
}
