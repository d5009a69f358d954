extension Service {
  /// Runs once, on the main actor, while the cluster is made: after the tree has been read and its environment is in place,
  /// and before any emitter runs. Services under this come first.
  ///
  /// It may send. If it throws, what has been bootstrapped so far is torn down, and `Bootstrap` throws the error.
  public func bootstrap(_ bootstrap: @escaping @MainActor @Sendable () async throws -> Void) -> some Service {
    lifecycle("bootstrap") { place in
      let scope = place.scope
      return LifecycleStep(place: place.name) { _ in
        try await Scope.within(scope) { try await bootstrap() }
      }
    }
  }

  /// Runs once, when ``Cluster/shutdown()`` has let everything finish that was under way: in the reverse of the order of
  /// ``bootstrap(_:)``, so before the services under this. An error is reported as
  /// ``ServiceDiagnostic/teardownFailed(place:error:)``, and the others run all the same.
  ///
  /// It does not run when the cluster is released without having been shut down.
  public func teardown(_ teardown: @escaping @Sendable () async throws -> Void) -> some Service {
    lifecycle("teardown") { place in
      let scope = place.scope
      return LifecycleStep(place: place.name, teardown: { try await Scope.within(scope) { try await teardown() } })
    }
  }

  private func lifecycle(_ label: String, _ step: @escaping @MainActor (Place) -> LifecycleStep) -> some Service {
    ModifiedService(content: self) { content, place, building in
      let children = building.nodes(of: content, at: place)
      building.add(step(place))
      return [Node(label: label, order: place.order, children: children)]
    }
  }
}
