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
    _ observe: nonisolated(nonsending) @escaping @Sendable (A) async -> Void
  ) -> some Service {
    calling(at: .before, "observe(\(A.self))") { Handler(on: type, looksOn: true, UserWork(in: $0, observe)) }
  }

  /// Calls `observe` for each action that is equal to this one: see ``observe(on:_:)-(A.Type,_)``.
  public func observe<A: Action & Equatable>(
    on action: A,
    _ observe: nonisolated(nonsending) @escaping @Sendable () async -> Void
  ) -> some Service {
    self.observe(on: A.self) { if $0 == action { await observe() } }
  }

  /// Calls `observe` for every action: see ``observe(on:_:)-(A.Type,_)``.
  public func observe(_ observe: nonisolated(nonsending) @escaping @Sendable (any Action) async -> Void) -> some Service
  {
    calling(at: .before, "observe") { Handler(UserWorkForAll(in: $0, observe)) }
  }
}
