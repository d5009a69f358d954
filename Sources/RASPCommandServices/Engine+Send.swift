public import RASPCommands
public import RASPServices
public import Streams

/// Actions as commands of an engine: the handler of the command sends.
///
///     try engine.use(Logout.self, sendingTo: cluster) { _ in IdentityAction.logout }
///     try await engine.execute(Logout()).value   // when all services are done with it
///
/// A command with a result of its own takes a handler that sends, and then returns the result:
///
///     try engine.use(Login.self) { [weak cluster] login, _ in
///       guard let cluster else { throw ClusterError.released }
///       try await cluster.send(action: IdentityAction.login(login.name))
///       return session.user
///     }
extension Engine {
  /// Handles commands of a type by sending them to a cluster. The type is both a command and an action.
  ///
  ///     enum IdentityAction: Action, Command {
  ///       typealias Output = Void
  ///       case login(String)
  ///       case logout
  ///     }
  ///     try engine.use(IdentityAction.self, sendingTo: cluster)
  ///     engine.execute(IdentityAction.logout)
  ///
  /// - Ordering: the execution is handled when the `send` returns. A command that is executed inside a mutation of a
  ///   model that is a value is handled at once, because the `send` is postponed until the mutation is over: see
  ///   `Store`.
  /// - Concurrency: cancelling the execution cancels the `send`.
  /// - Errors: throws `EngineError.duplicateHandler(_:)` if there is a handler and `replacing` is `false`. The
  ///   execution fails with the error of the `send`; once the cluster is gone, with `ClusterError.released`.
  /// - Lifetime: the engine does not keep the cluster alive.
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: if `true`, this replaces another handler.
  ///   - cluster: the cluster whose services react.
  /// - Returns: the registration, which may be ignored. Cancelling it removes the handler.
  @discardableResult
  public func use<CommandType: Command & Action>(
    _ command: CommandType.Type,
    replacing: Bool = false,
    sendingTo cluster: Cluster
  ) throws(EngineError) -> Registration where CommandType.Output == Void {
    try use(command, replacing: replacing, sendingWith: cluster.weakSend)
  }

  /// Handles commands of a type by sending an action to a cluster: see ``use(_:replacing:sendingTo:)``.
  ///
  /// - Errors: throws `EngineError.duplicateHandler(_:)` if there is a handler and `replacing` is `false`. The
  ///   execution fails with the error of `action` or of the `send`.
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: if `true`, this replaces another handler.
  ///   - cluster: the cluster whose services react.
  ///   - action: makes an action of a command.
  /// - Returns: the registration, which may be ignored. Cancelling it removes the handler.
  @discardableResult
  public func use<CommandType: Command>(
    _ command: CommandType.Type,
    replacing: Bool = false,
    sendingTo cluster: Cluster,
    _ action: @escaping @Sendable (CommandType) throws -> any Action
  ) throws(EngineError) -> Registration where CommandType.Output == Void {
    try use(command, replacing: replacing, sendingWith: cluster.weakSend, action)
  }

  /// Handles commands of a type by sending them, inside of a tree or with a `send` that records: see
  /// ``use(_:replacing:sendingTo:)``.
  ///
  ///     struct IdentityService: Service {
  ///       @Environment(\.send) private var send
  ///       let engine: Engine
  ///       let handlers = SubscriptionBag()
  ///
  ///       var body: some Service {
  ///         IdentityStore()
  ///           .bootstrap {
  ///             let handler = try engine.use(IdentityAction.self, sendingWith: send)
  ///             handlers.insert(Subscription { handler.cancel() })
  ///           }
  ///           .teardown { handlers.cancel() }
  ///       }
  ///     }
  ///
  /// Without the bag the handler would stay when the tree is gone, and the next tree could not register its own with
  /// the same engine.
  ///
  /// - Errors: throws `EngineError.duplicateHandler(_:)` if there is a handler and `replacing` is `false`. The
  ///   execution fails with the error of `send`.
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: if `true`, this replaces another handler.
  ///   - send: sends an action.
  /// - Returns: the registration, which may be ignored. Cancelling it removes the handler.
  @discardableResult
  public func use<CommandType: Command & Action>(
    _ command: CommandType.Type,
    replacing: Bool = false,
    sendingWith send: @escaping Send
  ) throws(EngineError) -> Registration where CommandType.Output == Void {
    try use(command, replacing: replacing, sendingWith: send) { $0 }
  }

  /// Handles commands of a type by sending an action: see ``use(_:replacing:sendingWith:)``.
  ///
  /// - Errors: throws `EngineError.duplicateHandler(_:)` if there is a handler and `replacing` is `false`. The
  ///   execution fails with the error of `action` or of `send`.
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: if `true`, this replaces another handler.
  ///   - send: sends an action.
  ///   - action: makes an action of a command.
  /// - Returns: the registration, which may be ignored. Cancelling it removes the handler.
  @discardableResult
  public func use<CommandType: Command>(
    _ command: CommandType.Type,
    replacing: Bool = false,
    sendingWith send: @escaping Send,
    _ action: @escaping @Sendable (CommandType) throws -> any Action
  ) throws(EngineError) -> Registration where CommandType.Output == Void {
    try use(command, replacing: replacing) { command, publisher in
      try await SentCommand.send(try action(command), for: CommandType.self, from: publisher.engine, with: send)
    }
  }
}
