extension Service {
  /// Calls `observe` for each action of a type, before the services under this get it. For logging, and for everything
  /// outside that wants to know.
  ///
  ///     Group { … }.observe(on: IdentityAction.self) { action in log(action) }
  ///
  /// An observer only looks on: it cannot fail, is called also if nobody under it reacts, and does not count as handling.
  /// To stand in the way of an action use ``pre(action:_:)-(A.Type,_)``.
  public func observe<A: Action>(
    on type: A.Type,
    _ observe: @escaping @Sendable (A) async -> Void
  ) -> some Service {
    before("observe(\(A.self))") { scope in
      var handler = Handler(on: type, in: scope, observe)
      handler.looksOn = true
      return handler
    }
  }

  /// Calls `observe` for each action that is equal to this one: see ``observe(on:_:)-(A.Type,_)``.
  public func observe<A: Action & Equatable>(
    on action: A,
    _ observe: @escaping @Sendable () async -> Void
  ) -> some Service {
    self.observe(on: A.self) { if $0 == action { await observe() } }
  }

  /// Calls `observe` for every action: see ``observe(on:_:)-(A.Type,_)``.
  public func observe(_ observe: @escaping @Sendable (any Action) async -> Void) -> some Service {
    before("observe") { Handler(in: $0, observe) }
  }

  /// This service, behind a handler.
  func before(_ label: String, _ handler: @escaping @MainActor (Scope?) -> Handler) -> some Service {
    surrounded(label) { .before(handler($0.scope)) }
  }

  /// This service, in front of a handler.
  func after(_ label: String, _ handler: @escaping @MainActor (Scope?) -> Handler) -> some Service {
    surrounded(label) { .after(handler($0.scope)) }
  }
}
