public import RASPCommands
public import RASPServices

/// Commands as actions of a cluster: the engine is the model of a store.
///
///     Store(model: Engine.self)
///       .execute(BookList.self) { books in ShelfAction.fill(books) }
///       .execute(on: SearchAction.self) { action in BookSearch(words: action.words) }
///       .with(model: engine)
///
/// The engine is handed in as any model is, with `.with(model:)`, so a test hands in another one, and a
/// tree without one says so. The description of the cluster names what is executed.
///
/// Whatever else concerns a command stays with the engine: its handler, its middleware, who reacts to its events. Events
/// on the way, progress and early results, are a stream, which an emitter makes into actions; see <doc:RASPCommandServices>.
extension Store where Model == Engine {
  /// Executes commands that are sent to the cluster: a type that is a command and an action is both.
  ///
  ///     struct BookList: Command, RASPServices.Action { typealias Output = [Book] }
  ///
  /// The `send` that brought the command waits for it, and throws what the handler throws, `EngineError.stopped(_:)` if a
  /// middleware stopped it, and ``CircularCommandError`` if it is the engine's own sending of such a command that led here.
  /// Cancelling the task that sends cancels the execution.
  ///
  /// - Ordering: commands are executed as they come, several at once; the engine is an object, so nobody waits for a turn.
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - action: makes an action of the result, which is sent to the cluster before the `send` returns; `nil` for none.
  public func execute<Executed: Command & RASPServices.Action>(
    _ command: Executed.Type,
    then action: (@Sendable (Executed.Output) -> (any RASPServices.Action)?)? = nil
  ) -> Store {
    execute(on: command, { $0 }, then: action)
  }

  /// Executes a command for each action of a type: see ``execute(_:then:)``.
  ///
  /// - Parameters:
  ///   - trigger: the type of the actions.
  ///   - command: makes a command of an action; `nil` for none. What it throws is thrown by the `send`.
  ///   - action: makes an action of the result, which is sent to the cluster before the `send` returns; `nil` for none.
  public func execute<Trigger: RASPServices.Action, Executed: Command>(
    on trigger: Trigger.Type,
    _ command: @escaping @Sendable (Trigger) throws -> Executed?,
    then action: (@Sendable (Executed.Output) -> (any RASPServices.Action)?)? = nil
  ) -> Store {
    mutate(on: trigger) { engine, trigger, send in
      guard let command = try command(trigger) else { return }
      try SentCommand.checkThatItIsNotComingBack(Executed.self, to: engine)
      let output = try await engine.execute(command).value
      if let action = action?(output) { try await send(action) }
    }
  }
}
