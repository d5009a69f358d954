extension ClusterCore {
  /// Runs the steps of the bootstrap in order; if one fails, takes down those that have run.
  @MainActor
  func start(_ builder: TreeBuilder) async throws {
    var taken: [LifecycleStep] = []
    do {
      // The watchers come before any action: an action that reaches a reducer waits until they have got the first
      // state.
      try await prelude { dispatch in
        for announcement in builder.announcements {
          await NonReentrantSection.run(in: dispatch) { @Sendable in await announcement() }
        }
      }
      for step in builder.steps {
        try Task.checkCancellation()
        try await prelude(step.bootstrap)
        taken.append(step)
      }
      for emission in builder.emitters where emission.isConsumedAtBootstrap {
        try await start(emission).consumed()
      }
      try Task.checkCancellation()
      for emission in builder.emitters where !emission.isConsumedAtBootstrap {
        _ = start(emission)
      }
    } catch {
      await shutDown(taken)
      throw error
    }
  }

  /// Runs work that no action has caused. The actions that it postpones are sent afterwards.
  @MainActor
  private func prelude(_ body: @MainActor @Sendable (ActionDispatch) async throws -> Void) async throws {
    let dispatch = ActionDispatch(Prelude(), to: id, isFeedback: false, in: CallContext.current.dispatch, after: nil)
    defer { dispatch.close() }
    try await CallContext.$current.withValue(CallContext(dispatch: dispatch)) {
      try await body(dispatch)
      try fail(await dispatch.sendPostponed(), at: "What was sent while the cluster was made")
    }
  }
}

/// The action of work that no action has caused.
struct Prelude: Action {}
