public import RASPCommands
public import RASPServices

/// Commands as actions of a cluster: the engine is the model of a store.
///
///     Store(model: Engine.self)
///       .execute(BookList.self) { books in ShelfAction.fill(books) }
///       .execute(on: SearchAction.self) { action in BookSearch(words: action.words) }
///       .with(model: engine)
///
/// The engine is handed in with `.with(model:)`, as any model is. So a test hands in another one, and a tree without an
/// engine is reported. The description of the cluster names the actions that execute.
///
/// The handler, the middleware and the reactions of a command stay with the engine. Its events, such as progress and
/// early results, are a stream that an emitter turns into actions; see <doc:RASPCommandServices>.
extension Store where Model == Engine {
  /// Executes commands that are sent to the cluster. The type is both a command and an action.
  ///
  ///     struct BookList: Command, Action { typealias Output = [Book] }
  ///
  /// - Ordering: commands are executed as they come, several at the same time. The `send` of the command returns when
  ///   the command is done, and with it the action that is made of its result.
  /// - Concurrency: cancelling the task that sends cancels the execution.
  /// - Errors: the `send` throws the error of the handler; `EngineError.stopped(_:)` if a middleware stopped the
  ///   command; ``CircularCommandError`` if the engine itself was sending a command of this type.
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - action: makes an action of the result, which is sent to the cluster before the `send` returns; `nil` for none.
  @inlinable
  public func execute<CommandType: Command & Action>(
    _ command: CommandType.Type,
    then action: (@Sendable (CommandType.Output) -> (any Action)?)? = nil
  ) -> Store {
    execute(on: command, { $0 }, then: action)
  }

  /// Executes a command for each action of a type: see ``execute(_:then:)``.
  ///
  /// - Errors: the `send` throws the error of `command`, and everything that ``execute(_:then:)`` throws.
  /// - Parameters:
  ///   - trigger: the type of the actions.
  ///   - command: makes a command of an action; `nil` for none.
  ///   - action: makes an action of the result, which is sent to the cluster before the `send` returns; `nil` for none.
  @inlinable
  public func execute<Trigger: Action, CommandType: Command>(
    on trigger: Trigger.Type,
    _ command: @escaping @Sendable (Trigger) throws -> CommandType?,
    then action: (@Sendable (CommandType.Output) -> (any Action)?)? = nil
  ) -> Store {
    mutate(on: trigger) { engine, trigger, send in
      guard let command = try command(trigger) else { return }
      try SentCommand.checkForCircle(CommandType.self, to: engine.handle)
      let output = try await engine.execute(command).value
      if let action = action?(output) { try await send(action) }
    }
  }
}
