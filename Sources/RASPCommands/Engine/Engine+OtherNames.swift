// Names of Aftermath that are spelt differently here. They are declared as unavailable, so that the compiler says what
// to write instead.

extension EngineProtocol {
  /// A name of Aftermath.
  @available(*, unavailable, renamed: "execute(_:)")
  public func execute<CommandType: Command>(command: CommandType) -> Execution<CommandType.Output> { execute(command) }

  /// A name of Aftermath.
  @available(*, unavailable, renamed: "execute(_:)")
  public func execute<Executed: ActionCommand>(action: Executed) -> Execution<Executed.Output> { execute(action) }

  /// A name of Aftermath.
  @available(*, unavailable, renamed: "post(_:)")
  public func post(fact: some Fact) {}

  /// A name of Aftermath.
  @available(*, unavailable, renamed: "use(_:replacing:)")
  public func use(handler: some CommandHandler) {}
}

/// A name of Aftermath.
@available(*, unavailable, message: "hold an 'Engine' and call 'execute(_:)'")
public typealias CommandProducer = Sendable

/// A name of Aftermath.
@available(*, unavailable, message: "hold an 'Engine' and call 'react(to:owner:wait:consume:rescue:)'")
public typealias ReactionProducer = Sendable

/// A name of Aftermath.
@available(*, unavailable, message: "hold an 'Engine' and call 'post(_:)'")
public typealias FactProducer = Sendable

/// A name of Aftermath.
@available(*, unavailable, message: "conform to 'Middleware', with 'any Command' as its input")
public typealias CommandMiddleware = Middleware<any Command>

/// A name of Aftermath.
@available(*, unavailable, message: "conform to 'Middleware', with 'any AnyCommandEvent' as its input")
public typealias EventMiddleware = Middleware<any AnyCommandEvent>
