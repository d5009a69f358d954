extension Service {
  /// Calls `observe` for each action of a type. For logging, and for code outside of the tree that follows what
  /// happens.
  ///
  ///     Group { … }.observe(on: IdentityAction.self) { action in log(action) }
  ///
  /// An observer is called even if no service under it reacts, and it does not count as handling. To stop an action use
  /// ``pre(action:_:)-(A.Type,_)``.
  ///
  /// - Ordering: runs before the services under this one get the action. They get it when `observe` has returned.
  /// - Errors: `observe` cannot throw.
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

  /// Puts a handler before this service.
  func before(_ label: String, _ handler: @escaping @MainActor (Scope?) -> Handler) -> some Service {
    surrounded(label) { .before(handler($0.scope)) }
  }

  /// Puts a handler after this service.
  func after(_ label: String, _ handler: @escaping @MainActor (Scope?) -> Handler) -> some Service {
    surrounded(label) { .after(handler($0.scope)) }
  }
}
