extension Service {
  /// Runs before the services under this get an action of a type. If it throws they do not get it.
  ///
  ///     AccountService().pre(action: AccountAction.self) { action in try await confirm(action) }
  ///
  /// It runs also if nobody under it reacts. Of several, the outermost runs first.
  public func pre<A: Action>(
    action type: A.Type,
    _ closure: @escaping @Sendable (A) async throws -> Void
  ) -> some Service {
    before("pre(\(A.self))") { Handler(on: type, in: $0, closure) }
  }

  /// Runs before the services under this get an action equal to this one: see ``pre(action:_:)-(A.Type,_)``.
  public func pre<A: Action & Equatable>(
    action: A,
    _ closure: @escaping @Sendable () async throws -> Void
  ) -> some Service {
    pre(action: A.self) { if $0 == action { try await closure() } }
  }

  /// Runs before the services under this get any action: see ``pre(action:_:)-(A.Type,_)``. This does not count as
  /// handling an action.
  public func pre(_ closure: @escaping @Sendable (any Action) async throws -> Void) -> some Service {
    before("pre") { Handler(in: $0, closure) }
  }

  /// Runs when the services under this are done with an action of a type; not if one of them threw.
  ///
  /// It runs also if nobody under it reacts. Of several, the outermost runs last.
  public func post<A: Action>(
    action type: A.Type,
    _ closure: @escaping @Sendable (A) async throws -> Void
  ) -> some Service {
    after("post(\(A.self))") { Handler(on: type, in: $0, closure) }
  }

  /// Runs when the services under this are done with an action equal to this one: see ``post(action:_:)-(A.Type,_)``.
  public func post<A: Action & Equatable>(
    action: A,
    _ closure: @escaping @Sendable () async throws -> Void
  ) -> some Service {
    post(action: A.self) { if $0 == action { try await closure() } }
  }

  /// Runs when the services under this are done with any action: see ``post(action:_:)-(A.Type,_)``. This does not count
  /// as handling an action.
  public func post(_ closure: @escaping @Sendable (any Action) async throws -> Void) -> some Service {
    after("post") { Handler(in: $0, closure) }
  }
}
