extension Service {
  /// Runs `bootstrap` once, while the cluster is made: after the tree has been read, and before any emitter runs. It
  /// may send.
  ///
  /// - Ordering: handlers of the services under this one run first.
  /// - Concurrency: runs on the main actor.
  /// - Errors: if `bootstrap` throws, the services that have been bootstrapped so far are torn down, and `Bootstrap`
  ///   throws the error.
  /// - Parameter bootstrap: prepares the service.
  public func bootstrap(_ bootstrap: @escaping @MainActor @Sendable () async throws -> Void) -> some Service {
    modified("bootstrap") { placement, _ in
      let scope = placement.context.scope
      placement.hook = LifecycleHook(place: placement.context.place) { call in
        try await call.runOnMainActor(in: scope, bootstrap)
      }
    }
  }

  /// Runs `teardown` once, when ``Cluster/shutdown()`` has let all running work finish. It does not run when the
  /// cluster is released without having been shut down.
  ///
  /// - Ordering: the reverse of the order of ``bootstrap(_:)``, so handlers of the services under this one run
  ///   afterwards.
  /// - Errors: an error of `teardown` is reported as ``ServiceDiagnostic/teardownFailed(place:error:)``, and the other
  ///   handlers still run.
  /// - Parameter teardown: ends the service.
  public func teardown(_ teardown: @escaping @Sendable () async throws -> Void) -> some Service {
    modified("teardown") { placement, _ in
      let scope = placement.context.scope
      placement.hook = LifecycleHook(
        place: placement.context.place,
        teardown: {
          let context = CallContext(span: CallContext.current.span, scope: scope)
          try await CallContext.$current.withValue(context, operation: teardown)
        }
      )
    }
  }
}
