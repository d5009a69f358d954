import Streams

/// The middleware of an engine at one moment. It does not change: adding middleware makes another pipeline, and a
/// command that is running keeps its own.
@usableFromInline
final class Pipeline: Sendable {
  /// A middleware and its registration.
  struct Stage<Input: Sendable>: Sendable {
    let registration: Lifetime
    let middleware: any Middleware<Input>
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

  /// Sends a command or an event through the stages, and then to `end`.
  static func pass<Input: Sendable>(
    _ input: Input,
    through stages: ArraySlice<Stage<Input>>,
    of engine: EngineHandle,
    to end: @escaping @Sendable (Input) -> Passage<Input>
  ) -> Passage<Input> {
    guard let first = stages.first else { return end(input) }
    let rest = stages.dropFirst()
    do {
      let next = Next(engine: engine) { pass($0, through: rest, of: engine, to: end) }
      return try first.middleware.intercept(input, next: next)
    } catch {
      return .failed(error)
    }
  }
}
