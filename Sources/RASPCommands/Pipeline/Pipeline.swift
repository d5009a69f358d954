import Streams

/// The middleware of an engine at one moment. It does not change: adding middleware makes another pipeline, and a
/// command that is running keeps its own.
@usableFromInline
final class Pipeline: Sendable {
  /// A middleware and its registration.
  struct Stage<Input: Sendable>: Sendable {
    /// The rest of the chain behind a middleware.
    typealias Rest = @Sendable (Input) -> Passage<Input>

    let registration: Lifetime
    /// A closure, because to call a middleware of any type copies it.
    let intercept: @Sendable (Input, @escaping Rest) throws -> Passage<Input>
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

  /// Sends a command through the middleware, and then to `end`, unless its execution has ended meanwhile.
  @usableFromInline
  func pass(
    _ command: any Command,
    of run: Run,
    to end: @escaping @Sendable (any Command) -> Passage<any Command>
  ) -> Passage<any Command> {
    Self.pass(command, through: commands, from: 0) { command in
      run.isOpen ? end(command) : .failed(CancellationError())
    }
  }

  /// Sends a command or an event through the stages from one on, and then to `end`.
  static func pass<Input: Sendable>(
    _ input: Input,
    through stages: [Stage<Input>],
    from first: Int,
    to end: @escaping @Sendable (Input) -> Passage<Input>
  ) -> Passage<Input> {
    if first == stages.count { return end(input) }
    do {
      return try stages[first].intercept(input) { pass($0, through: stages, from: first + 1, to: end) }
    } catch {
      return .failed(error)
    }
  }
}
