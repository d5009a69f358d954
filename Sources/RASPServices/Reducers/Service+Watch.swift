extension Service {
  /// Calls `watch` with the states of each ``Reducer`` of this state under this service: with the first state while the
  /// cluster is made, and with each state after a change.
  ///
  ///     ArticlesService().watch(ArticlesState.self) { @MainActor state in list.show(state.articles) }
  ///
  /// `watch` reads a `Selection` of the whole state. A state that is `Equatable` is passed on if it differs from the
  /// one before, and any other at each action.
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
    adjustingContext("watch(\(State.self))") { context, builder in
      let watcher = Watcher<State>(scope: context.scope, watch)
      let provided = Provided<any AnyWatcher>(watcher, name: "\(State.self)", place: context.place)
      context.watchers[ObjectIdentifier(State.self), default: []].append(provided)
      builder.add(provided)
    }
  }
}
