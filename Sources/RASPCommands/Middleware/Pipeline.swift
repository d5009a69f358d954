import Streams

/// The middleware of an engine at one moment. It does not change: adding middleware makes another pipeline, and a
/// command that is running keeps its own.
@usableFromInline
final class Pipeline: Sendable {
  /// A middleware and its registration.
  struct Stage<Input: Sendable>: Sendable {
    let registration: Lifetime
    /// A closure, because to call a middleware of any type copies it.
    let intercept: @Sendable (Input, Next<Input>) throws -> MiddlewareResult<Input>

    init(_ middleware: any Middleware<Input>, _ registration: Lifetime) {
      func open(_ middleware: some Middleware<Input>)
        -> @Sendable (Input, Next<Input>) throws -> MiddlewareResult<Input>
      {
        { try middleware.intercept($0, next: $1) }
      }
      self.registration = registration
      intercept = open(middleware)
    }
  }

  let commands: [Stage<any Command>]
  let events: [Stage<any AnyCommandEvent>]
  @usableFromInline let hasCommands: Bool
  @usableFromInline let hasEvents: Bool

  /// Returns `nil` if there is no middleware.
  init?(commands: [Stage<any Command>], events: [Stage<any AnyCommandEvent>]) {
    guard !commands.isEmpty || !events.isEmpty else { return nil }
    self.commands = commands
    self.events = events
    hasCommands = !commands.isEmpty
    hasEvents = !events.isEmpty
  }

  /// Sends a command through the middleware, and then to `end`.
  @usableFromInline
  func pass(
    _ command: any Command,
    of registry: Registry,
    to end: @escaping @Sendable (any Command) -> MiddlewareResult<any Command>
  ) -> MiddlewareResult<any Command> {
    Self.pass(command, through: commands, from: 0, of: EngineHandle(registry), to: end)
  }

  /// Sends a command or an event through the stages from one on, and then to `end`.
  static func pass<Input: Sendable>(
    _ input: Input,
    through stages: [Stage<Input>],
    from first: Int,
    of engine: EngineHandle,
    to end: @escaping @Sendable (Input) -> MiddlewareResult<Input>
  ) -> MiddlewareResult<Input> {
    if first == stages.count { return end(input) }
    do {
      let next = Next(engine: engine) { pass($0, through: stages, from: first + 1, of: engine, to: end) }
      return try stages[first].intercept(input, next)
    } catch {
      return .failed(error)
    }
  }
}
