/// The middleware of an engine at one moment. It does not change: adding middleware makes another pipeline, and a
/// command that is running keeps its own.
@usableFromInline
final class Pipeline: Sendable {
  static let empty = Pipeline(commands: [], events: [])

  /// A middleware and its registration.
  struct Stage<Middleware: Sendable>: Sendable {
    let registration: Int
    let middleware: Middleware
  }

  private let commandStages: [Stage<any CommandMiddleware>]
  private let eventStages: [Stage<any EventMiddleware>]

  let commands: [any CommandMiddleware]
  /// The same, if none of them may wait.
  let synchronousCommands: [any SynchronousCommandMiddleware]?
  let events: [any EventMiddleware]

  @usableFromInline let hasCommands: Bool
  @usableFromInline let hasEvents: Bool
  @usableFromInline let mayWait: Bool

  private init(commands: [Stage<any CommandMiddleware>], events: [Stage<any EventMiddleware>]) {
    commandStages = commands
    eventStages = events
    self.commands = commands.map(\.middleware)
    self.events = events.map(\.middleware)
    let synchronous = self.commands.compactMap { $0 as? any SynchronousCommandMiddleware }
    synchronousCommands = synchronous.count == commands.count ? synchronous : nil
    hasCommands = !commands.isEmpty
    hasEvents = !events.isEmpty
    mayWait = synchronousCommands == nil
  }

  func appending(
    commands: [any CommandMiddleware] = [],
    events: [any EventMiddleware] = [],
    registration: Int
  ) -> Pipeline {
    Pipeline(
      commands: commandStages + commands.map { Stage(registration: registration, middleware: $0) },
      events: eventStages + events.map { Stage(registration: registration, middleware: $0) }
    )
  }

  func removing(registration: Int) -> Pipeline {
    Pipeline(
      commands: commandStages.filter { $0.registration != registration },
      events: eventStages.filter { $0.registration != registration }
    )
  }
}
