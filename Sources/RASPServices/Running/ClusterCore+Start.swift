extension ClusterCore {
  /// Runs what is to run once, in order; takes it down again if something fails.
  @MainActor
  func start(_ building: Building) async throws {
    var taken: [LifecycleStep] = []
    do {
      // All of them before anything is sent: an action that reaches a reducer waits until its watchers know the first state.
      try await prelude { delivery in
        for announcement in building.announcements { await Turn.during(delivery) { await announcement() } }
      }
      for step in building.steps {
        try Task.checkCancellation()
        try await prelude(step.bootstrap)
        taken.append(step)
      }
      for emission in building.emitters where emission.isConsumedAtBootstrap {
        try await start(emission).consumed()
      }
      try Task.checkCancellation()
      for emission in building.emitters where !emission.isConsumedAtBootstrap {
        _ = start(emission)
      }
    } catch {
      await shutDown(taken)
      throw error
    }
  }

  /// Runs something that no action has caused; what it postpones is sent afterwards.
  @MainActor
  private func prelude(_ body: @MainActor @Sendable (Delivery) async throws -> Void) async throws {
    let delivery = Delivery(Prelude(), to: id, isFeedback: false, in: CallContext.current.delivery, after: nil)
    defer { delivery.close() }
    try await CallContext.$current.withValue(CallContext(delivery: delivery)) {
      try await body(delivery)
      try fail(await delivery.sendPostponed(), at: "What was sent while the cluster was made")
    }
  }
}

/// Stands in for an action where there is none.
struct Prelude: Action {}
