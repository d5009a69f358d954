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
    calling(at: .before, "pre(\(A.self))") { Handler(on: type, UserWork(in: $0, closure)) }
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
    calling(at: .before, "pre") { Handler(UserWorkForAll(in: $0, closure)) }
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
    calling(at: .after, "post(\(A.self))") { Handler(on: type, UserWork(in: $0, closure)) }
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
    calling(at: .after, "post") { Handler(UserWorkForAll(in: $0, closure)) }
  }

  /// Calls a handler around the services under this one.
  ///
  /// - Parameters:
  ///   - moment: is before the services get an action, or after they are done with it.
  ///   - name: the name of the modifier.
  ///   - handler: makes the handler of the services around it, for `@Environment`.
  func calling(
    at moment: CallMoment,
    _ name: String,
    _ handler: @escaping @Sendable (Scope?) -> Handler
  ) -> some Service {
    modified(name) { placement, _ in placement.effect = .call(moment, handler(placement.context.scope)) }
  }
}
