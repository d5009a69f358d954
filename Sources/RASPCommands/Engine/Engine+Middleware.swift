public import Streams

extension EngineProtocol {
  /// Adds command middleware. It stands between the middleware that is there already and the handlers.
  ///
  ///     engine.add(LogCommandMiddleware(), RequireLogin())
  ///
  /// - Ordering: the first is the outermost. A command that is already running, and the events that it publishes, keep
  ///   the middleware with which the command began.
  /// - Complexity: O(middleware).
  /// - Returns: the registration, which may be ignored. Cancelling it removes the middleware.
  @discardableResult
  public func add(_ middleware: any Middleware<any Command>...) -> Registration {
    add(commands: middleware, events: [])
  }

  /// Adds event middleware. It stands between the middleware that is there already and the reactions.
  ///
  ///     engine.add(ClosureMiddleware<any AnyCommandEvent>.log())
  ///
  /// - Ordering: the first is the outermost. A command that is already running keeps the middleware with which it
  ///   began. The next command, fact, and event without a command have the new one.
  /// - Complexity: O(middleware).
  /// - Returns: the registration, which may be ignored. Cancelling it removes the middleware.
  @discardableResult
  public func add(_ middleware: any Middleware<any AnyCommandEvent>...) -> Registration {
    add(commands: [], events: middleware)
  }

  /// Replaces all command middleware of the engine.
  ///
  ///     engine.pipeCommands(through: [LogCommandMiddleware(), RequireLogin()])
  ///
  /// - Ordering: as `add(_:)`.
  /// - Complexity: O(middleware).
  /// - Returns: the registration, which may be ignored. Cancelling it removes the middleware.
  @discardableResult
  public func pipeCommands(through middleware: [any Middleware<any Command>]) -> Registration {
    add(commands: middleware, events: [], replacesCommands: true)
  }

  /// Replaces all event middleware of the engine.
  ///
  ///     engine.pipeEvents(through: [ClosureMiddleware<any AnyCommandEvent>.log()])
  ///
  /// - Ordering: as `add(_:)`.
  /// - Complexity: O(middleware).
  /// - Returns: the registration, which may be ignored. Cancelling it removes the middleware.
  @discardableResult
  public func pipeEvents(through middleware: [any Middleware<any AnyCommandEvent>]) -> Registration {
    add(commands: [], events: middleware, replacesEvents: true)
  }

  private func add(
    commands: [any Middleware<any Command>],
    events: [any Middleware<any AnyCommandEvent>],
    replacesCommands: Bool = false,
    replacesEvents: Bool = false
  ) -> Registration {
    let lifetime = Lifetime()
    let commands = commands.map { Pipeline.Stage($0, lifetime) }
    let events = events.map { Pipeline.Stage($0, lifetime) }
    let registry = handle.registry
    registry.changeMiddleware { previous in
      let previous = previous as? Pipeline
      return Pipeline(
        commands: (replacesCommands ? [] : previous?.commands ?? []) + commands,
        events: (replacesEvents ? [] : previous?.events ?? []) + events
      )
    }
    let key = ObjectIdentifier(lifetime)
    // The registry holds the lifetime with the middleware until both are removed, at the end of the engine at the
    // latest. A weak reference would make each use of the registry dearer.
    lifetime.onTermination {
      registry.changeMiddleware { previous in
        guard let previous = previous as? Pipeline else { return nil }
        return Pipeline(
          commands: previous.commands.filter { ObjectIdentifier($0.registration) != key },
          events: previous.events.filter { ObjectIdentifier($0.registration) != key }
        )
      }
    }
    return Registration(lifetime)
  }
}
