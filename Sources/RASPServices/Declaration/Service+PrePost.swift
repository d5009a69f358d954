extension Service {
  /// Runs `closure` before the services under this one get an action of a type, even if none of them reacts to it.
  ///
  ///     AccountService().pre(action: AccountAction.self) { action in try await confirm(action) }
  ///
  /// - Ordering: of several such modifiers, the outermost runs first.
  /// - Errors: if `closure` throws, the services under this one do not get the action. The error counts as an error of
  ///   this service.
  public func pre<A: Action>(
    action type: A.Type,
    _ closure: nonisolated(nonsending) @escaping @Sendable (A) async throws -> Void
  ) -> some Service {
    modified("pre(\(A.self))") { placement, _ in
      placement.effect = .before(Handler(on: type, in: placement.context.scope, closure))
    }
  }

  /// Runs `closure` before the services under this one get an action that is equal to this one: see
  /// ``pre(action:_:)-(A.Type,_)``.
  ///
  /// - Errors: if `closure` throws, the services under this one do not get the action.
  public func pre<A: Action & Equatable>(
    action: A,
    _ closure: nonisolated(nonsending) @escaping @Sendable () async throws -> Void
  ) -> some Service {
    pre(action: A.self) { if $0 == action { try await closure() } }
  }

  /// Runs `closure` before the services under this one get any action: see ``pre(action:_:)-(A.Type,_)``. This does not
  /// count as handling an action.
  ///
  /// - Errors: if `closure` throws, the services under this one do not get the action.
  public func pre(_ closure: nonisolated(nonsending) @escaping @Sendable (any Action) async throws -> Void)
    -> some Service
  {
    modified("pre") { placement, _ in
      placement.effect = .before(Handler(in: placement.context.scope, closure))
    }
  }

  /// Runs `closure` when the services under this one are done with an action of a type, even if none of them reacts to
  /// it. It does not run if one of them threw.
  ///
  /// - Ordering: of several such modifiers, the outermost runs last.
  /// - Errors: an error of `closure` counts as an error of this service.
  public func post<A: Action>(
    action type: A.Type,
    _ closure: nonisolated(nonsending) @escaping @Sendable (A) async throws -> Void
  ) -> some Service {
    modified("post(\(A.self))") { placement, _ in
      placement.effect = .after(Handler(on: type, in: placement.context.scope, closure))
    }
  }

  /// Runs `closure` when the services under this one are done with an action that is equal to this one: see
  /// ``post(action:_:)-(A.Type,_)``.
  ///
  /// - Errors: an error of `closure` counts as an error of this service.
  public func post<A: Action & Equatable>(
    action: A,
    _ closure: nonisolated(nonsending) @escaping @Sendable () async throws -> Void
  ) -> some Service {
    post(action: A.self) { if $0 == action { try await closure() } }
  }

  /// Runs `closure` when the services under this one are done with any action: see ``post(action:_:)-(A.Type,_)``. This
  /// does not count as handling an action.
  ///
  /// - Errors: an error of `closure` counts as an error of this service.
  public func post(_ closure: nonisolated(nonsending) @escaping @Sendable (any Action) async throws -> Void)
    -> some Service
  {
    modified("post") { placement, _ in
      placement.effect = .after(Handler(in: placement.context.scope, closure))
    }
  }
}
