extension Service {
  /// Sets a value of the environment for all services under this one. The nearest modifier wins.
  ///
  ///     IdentityService().environment(\.send, recordingSend)
  public func environment<Value: Sendable>(
    _ keyPath: any WritableKeyPath<EnvironmentValues, Value> & Sendable,
    _ value: Value
  ) -> some Service {
    modified("environment(\(Value.self))") { placement, _ in
      placement.context.environment[keyPath: keyPath] = value
    }
  }

  /// A name of Trellis.
  @available(*, unavailable, renamed: "environment(_:_:)")
  @_disfavoredOverload  // A closure behind the parentheses fits both spellings.
  public func environment<Value: Sendable>(
    _ keyPath: any WritableKeyPath<EnvironmentValues, Value> & Sendable,
    value: Value
  ) -> some Service {
    environment(keyPath, value)
  }

  /// Changes a value of the environment for all services under this one.
  ///
  ///     ArticlesService().transformEnvironment(\.retries) { $0 += 1 }
  ///
  /// - Ordering: transforms compose from outside in. A transform gets the value that the modifiers around it have made,
  ///   and the modifiers under it get the value that it makes.
  /// - Concurrency: `transform` runs once, on the main actor, while the cluster is built.
  public func transformEnvironment<Value>(
    _ keyPath: any WritableKeyPath<EnvironmentValues, Value> & Sendable,
    _ transform: @escaping @MainActor (inout Value) -> Void
  ) -> some Service {
    modified("transformEnvironment(\(Value.self))") { placement, _ in
      transform(&placement.context.environment[keyPath: keyPath])
    }
  }

  /// Replaces a value of the environment for all services under this one, by a value that is made of it.
  ///
  ///     ArticlesService().transformEnvironment(\.depth) { $0 * 2 }
  ///
  /// - Ordering: as for a transform that changes the value in its place.
  /// - Concurrency: `transform` runs once, on the main actor, while the cluster is built.
  public func transformEnvironment<Value>(
    _ keyPath: any WritableKeyPath<EnvironmentValues, Value> & Sendable,
    _ transform: @escaping @MainActor (Value) -> Value
  ) -> some Service {
    transformEnvironment(keyPath) { (value: inout Value) in value = transform(value) }
  }

  /// Puts an object in the environment of all services under this one, which find it by its type:
  /// `@EnvironmentObject var analytics: Analytics?`. The nearest modifier wins.
  ///
  /// A service that asks for an object which no modifier has set reads `nil`, which is reported as
  /// ``ServiceDiagnostic/missingEnvironmentObject(object:service:)``.
  public func environmentObject<Object: AnyObject & Sendable>(_ object: Object) -> some Service {
    modified("environmentObject(\(Object.self))") { placement, _ in
      placement.context.environment[object: Object.self] = object
    }
  }
}
