extension Service {
  /// Sets a value of the environment for all services under this. The nearest one wins.
  ///
  ///     ArticlesService().environment(\.api, value: api)
  @_disfavoredOverload  // A closure behind the parentheses fits both spellings.
  public func environment<Value: Sendable>(
    _ keyPath: any WritableKeyPath<EnvironmentValues, Value> & Sendable,
    value: Value
  ) -> some Service {
    placed("environment(\(Value.self))") { place, _ in place.environment[keyPath: keyPath] = value }
  }

  /// Sets a value of the environment for all services under this: see ``environment(_:value:)``.
  ///
  ///     IdentityService().environment(\.send, recordingSend)
  public func environment<Value: Sendable>(
    _ keyPath: any WritableKeyPath<EnvironmentValues, Value> & Sendable,
    _ value: Value
  ) -> some Service {
    environment(keyPath, value: value)
  }

  /// Changes a value of the environment for all services under this.
  ///
  /// Transforms compose from outside in: this one gets what the modifiers around it have made, and the ones under it get
  /// what this one makes. It runs once, on the main actor, while the cluster is built.
  ///
  ///     ArticlesService().transformEnvironment(\.retries) { $0 += 1 }
  public func transformEnvironment<Value>(
    _ keyPath: any WritableKeyPath<EnvironmentValues, Value> & Sendable,
    _ transform: @escaping @MainActor (inout Value) -> Void
  ) -> some Service {
    placed("transformEnvironment(\(Value.self))") { place, _ in transform(&place.environment[keyPath: keyPath]) }
  }

  /// Puts an object in the environment of all services under this, to be found by its type:
  /// `@Environment(Analytics.self) var analytics`. The nearest one wins. A service that asks for an object that nobody
  /// has set reads `nil`, and it is reported as ``ServiceDiagnostic/missingEnvironmentObject(object:service:)``.
  public func environmentObject<Object: AnyObject & Sendable>(_ object: Object) -> some Service {
    placed("environmentObject(\(Object.self))") { place, _ in place.environment[object: Object.self] = object }
  }
}
