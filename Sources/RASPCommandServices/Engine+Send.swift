public import RASPCommands
public import RASPServices
public import Streams

/// Actions as commands of an engine: the handler of the command sends.
///
///     try engine.use(Logout.self, sendingTo: cluster) { _ in IdentityAction.logout }
///     try await engine.execute(Logout()).value   // when all services are done with it
///
/// A command with a result of its own takes a handler that sends, and then says what came of it:
///
///     try engine.use(Login.self) { [weak cluster] login, _ in
///       guard let cluster else { throw ClusterError.released }
///       try await cluster.send(action: IdentityAction.login(login.name))
///       return session.user
///     }
extension Engine {
  /// Handles commands of a type by sending them to a cluster: a type that is a command and an action is both.
  ///
  ///     enum IdentityAction: RASPServices.Action, Command {
  ///       typealias Output = Void
  ///       case login(String)
  ///       case logout
  ///     }
  ///     try engine.use(IdentityAction.self, sendingTo: cluster)
  ///     engine.execute(IdentityAction.logout)
  ///
  /// The execution is handled when the `send` returns, fails with what it throws, and cancels it when it is cancelled. A
  /// command that is executed in the middle of a mutation of a model that is a value is handled at once, because what is
  /// sent from there waits until the mutation is over: see `Store`.
  ///
  /// - Lifetime: the engine does not keep the cluster. Once that is gone, executions fail with `ClusterError.released`.
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: whether this may take the place of another handler.
  ///   - cluster: whose services react.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the handler out again.
  /// - Throws: `EngineError.duplicateHandler(_:)` if there is a handler already and it is not to be replaced.
  @discardableResult
  public func use<Sent: Command & RASPServices.Action>(
    _ command: Sent.Type,
    replacing: Bool = false,
    sendingTo cluster: Cluster
  ) throws(EngineError) -> Subscription where Sent.Output == Void {
    try use(command, replacing: replacing, sendingWith: cluster.weakSend)
  }

  /// Handles commands of a type by sending an action to a cluster: see ``use(_:replacing:sendingTo:)``.
  ///
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: whether this may take the place of another handler.
  ///   - cluster: whose services react.
  ///   - action: makes an action of a command. What it throws fails the execution.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the handler out again.
  /// - Throws: `EngineError.duplicateHandler(_:)` if there is a handler already and it is not to be replaced.
  @discardableResult
  public func use<Handled: Command>(
    _ command: Handled.Type,
    replacing: Bool = false,
    sendingTo cluster: Cluster,
    _ action: @escaping @Sendable (Handled) throws -> any RASPServices.Action
  ) throws(EngineError) -> Subscription where Handled.Output == Void {
    try use(command, replacing: replacing, sendingWith: cluster.weakSend, action)
  }

  /// Handles commands of a type by sending them, from inside of a tree or to a `send` that records: see
  /// ``use(_:replacing:sendingTo:)``.
  ///
  ///     struct IdentityService: Service {
  ///       @Environment(\.send) private var send
  ///       let engine: Engine
  ///       let handlers = SubscriptionBag()
  ///
  ///       var body: some Service {
  ///         IdentityStore()
  ///           .bootstrap { try engine.use(IdentityAction.self, sendingWith: send).store(in: handlers) }
  ///           .teardown { handlers.cancel() }
  ///       }
  ///     }
  ///
  /// Without the bag the handler would stay when the tree goes, and be in the way of the next tree for the same engine.
  ///
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: whether this may take the place of another handler.
  ///   - send: sends.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the handler out again.
  /// - Throws: `EngineError.duplicateHandler(_:)` if there is a handler already and it is not to be replaced.
  @discardableResult
  public func use<Sent: Command & RASPServices.Action>(
    _ command: Sent.Type,
    replacing: Bool = false,
    sendingWith send: @escaping Send
  ) throws(EngineError) -> Subscription where Sent.Output == Void {
    try use(command, replacing: replacing, sendingWith: send) { $0 }
  }

  /// Handles commands of a type by sending an action: see ``use(_:replacing:sendingWith:)``.
  ///
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: whether this may take the place of another handler.
  ///   - send: sends.
  ///   - action: makes an action of a command. What it throws fails the execution.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the handler out again.
  /// - Throws: `EngineError.duplicateHandler(_:)` if there is a handler already and it is not to be replaced.
  @discardableResult
  public func use<Handled: Command>(
    _ command: Handled.Type,
    replacing: Bool = false,
    sendingWith send: @escaping Send,
    _ action: @escaping @Sendable (Handled) throws -> any RASPServices.Action
  ) throws(EngineError) -> Subscription where Handled.Output == Void {
    try use(command, replacing: replacing) { command, publisher in
      try await SentCommand.send(try action(command), for: Handled.self, from: publisher.engine, with: send)
    }
  }
}
