public import RASPCommands
import Streams
public import Testing

/// Tests a handler by the events it publishes and the outcomes of its commands.
///
///     await given(BookListHandler(api: api))
///       .when(BookList())
///       .then(books, after: .progress, .data(cached))
///
/// - Parameter handler: the handler. Each `when` gives it an engine of its own, on which nothing else is registered.
/// - Returns: the handler, ready to be given commands.
public func given<Handler: CommandHandler>(_ handler: Handler) -> HandlerUnderTest<Handler.CommandType> {
  HandlerUnderTest { engine throws(EngineError) in
    // An action handles itself unless it is replaced.
    try engine.use(handler, replacing: true)
  }
}

/// Tests the outcomes of commands on an engine, with its handlers and its middleware.
///
///     await given(engine)
///       .when(Login(name: "Kim"))
///       .then()
///       .executed(Login(name: "Kim"), ReadAccount(name: "Kim"))
///       .posted(LoginFact(name: "Kim"))
///
/// - Parameter engine: the engine, which all commands are executed on.
/// - Returns: the engine, ready to be given commands.
public func given(_ engine: Engine) -> EngineUnderTest {
  EngineUnderTest(engine: engine)
}

/// A handler that is given commands: see ``given(_:)->HandlerUnderTest<Handler.CommandType>``.
///
/// It is a value: one handler serves several cases.
public struct HandlerUnderTest<Handled: Command>: Sendable {
  private let register: @Sendable (Engine) throws(EngineError) -> Void

  init(register: @escaping @Sendable (Engine) throws(EngineError) -> Void) {
    self.register = register
  }

  /// Executes a command, and waits until it has ended.
  ///
  /// - Parameters:
  ///   - command: what to execute.
  ///   - sourceLocation: where to report.
  /// - Returns: the result, to be compared with the expected one.
  public func when(
    _ command: Handled,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> ExecutionResult<Handled> {
    await when(command, sourceLocation: sourceLocation) { _ in }
  }

  /// Executes a command, and waits until it has ended.
  ///
  /// - Errors: throws what `meanwhile` throws. The execution is cancelled then.
  ///
  /// - Parameters:
  ///   - command: what to execute.
  ///   - actor: the actor that `meanwhile` runs on: that of the caller.
  ///   - sourceLocation: where to report.
  ///   - meanwhile: runs while the command is being executed, for example moves time on or cancels the execution.
  /// - Returns: the result, to be compared with the expected one.
  public func when(
    _ command: Handled,
    isolation actor: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    meanwhile: (Execution<Handled.Output>) async throws -> Void
  ) async rethrows -> ExecutionResult<Handled> {
    let engine = Engine()
    do throws(EngineError) {
      try register(engine)
    } catch {
      Reporter.current.report("\(error)", at: sourceLocation)
    }
    return try await ExecutionResult.of(command, on: engine, meanwhile: meanwhile)
  }
}

/// An engine that is given commands: see ``given(_:)->EngineUnderTest``.
public struct EngineUnderTest: Sendable {
  let engine: Engine

  /// Executes a command, and waits until it has ended.
  ///
  /// - Parameter command: what to execute.
  /// - Returns: the result, to be compared with the expected one.
  public func when<Executed: Command>(_ command: Executed) async -> ExecutionResult<Executed> {
    await when(command) { _ in }
  }

  /// Executes a command, and waits until it has ended.
  ///
  /// - Errors: throws what `meanwhile` throws. The execution is cancelled then.
  ///
  /// - Parameters:
  ///   - command: what to execute.
  ///   - actor: the actor that `meanwhile` runs on: that of the caller.
  ///   - meanwhile: runs while the command is being executed, for example moves time on or cancels the execution.
  /// - Returns: the result, to be compared with the expected one.
  public func when<Executed: Command>(
    _ command: Executed,
    isolation actor: isolated (any Actor)? = #isolation,
    meanwhile: (Execution<Executed.Output>) async throws -> Void
  ) async rethrows -> ExecutionResult<Executed> {
    try await ExecutionResult.of(command, on: engine, meanwhile: meanwhile)
  }
}
