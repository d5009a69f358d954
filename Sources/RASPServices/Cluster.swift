/// A running tree of services, which takes actions through ``send(action:)``.
///
///     let cluster = try await Bootstrap {
///       Group {
///         IdentityService().with(model: identity)
///         Reducer(state: ArticlesState(), context: api, reduce: Reducers.articles)
///       }
///       .emit(using: notifications)
///       .transformError { ErrorAction.error($0) }
///     }
///     try await cluster.send(action: StartUpAction.appDidCompleteLaunching)
///
/// ### Lifetime
///
/// Keep the cluster for as long as it should work. Nothing in the tree keeps it alive, and a handler that keeps its
/// `send` does not either. Releasing the cluster cancels its emitters and releases everything that it holds.
/// ``shutdown()`` ends it in good order.
///
/// Two clusters share nothing but what you hand to both.
///
/// ### Ordering
///
/// Services side by side get an action at the same time, unless ``Service/serial(stoppingAtErrors:)`` puts them in
/// order. Two sends from two tasks run at the same time. A mutation has its model to itself: see ``Store``.
public final class Cluster: Sendable {
  let core: ClusterCore
  private let hooks: [LifecycleHook]
  /// The tree as it was read.
  let places: ServicePlaces
  private let labels: [PlaceLabel]

  /// Reads the tree, starts it, and returns when it runs: see ``Bootstrap``.
  ///
  /// - Ordering: the following steps run one after the other. The bodies are read, and the plan for each type of
  ///   actions is made; from then on the cluster takes actions. Watchers get the first states of their reducers.
  ///   ``Service/bootstrap(_:)`` handlers run, those of children before those of their parents. Emitters that are
  ///   consumed at bootstrap are read to their ends. The other emitters are started.
  /// - Concurrency: the tree is read, and bootstrap handlers run, on the main actor.
  /// - Errors: throws the first error of a bootstrap handler, or of an emitter that is consumed at bootstrap;
  ///   `CancellationError` when the task is cancelled. Everything that had been started is shut down first. Without
  ///   `diagnostics`, throws a ``ServiceDiagnostic`` that ``ServiceDiagnostic/isFatal`` says is fatal.
  /// - Complexity: O(services × types of actions) to read the tree and make the plan.
  /// - Parameters:
  ///   - diagnostics: called with each mistake, which has names and the remedy. Without it, a mistake that would leave
  ///     part of the tree dead is thrown instead, and a debug build writes each kind of the others once to standard
  ///     error: see `UnheardReports`.
  ///   - content: the services.
  @MainActor
  public init(
    diagnostics: (@Sendable (ServiceDiagnostic) -> Void)? = nil,
    @ServiceBuilder content: @MainActor () -> some Service
  ) async throws {
    let core = ClusterCore(report: diagnostics)
    self.core = core
    let reader = TreeReader(onReport: core.report)
    var context = BuildContext(environment: EnvironmentValues())
    context.environment.send = core.weakSend
    reader.read(content().part, in: context)
    places = reader.places
    labels = reader.labels
    let startup = reader.startup
    hooks = startup.hooks

    for problem in reader.problems {
      if diagnostics == nil, problem.isFatal { throw problem }
      core.report(problem)
    }
    core.open(places, emitters: startup.emitters)
    try await core.start(startup)
  }

  deinit {
    core.abandon()
  }

  /// Hands an action to all services that react to it, and returns when they are done. Actions that they send while
  /// they work are part of their work.
  ///
  /// Inside a mutation of a model that is a value, and inside a watcher, the action is postponed and this returns at
  /// once. The action is sent when the outer action has reached all its services, and before the outer `send` returns,
  /// which throws its errors. See ``Store``.
  ///
  /// As a value, the function keeps the cluster alive: `Presenter(send: cluster.send)`. ``weakSend`` does not.
  ///
  /// - Ordering: services side by side get the action at the same time, unless ``Service/serial(stoppingAtErrors:)``
  ///   puts them in order.
  /// - Concurrency: may be called from any thread and task, and from handlers. Services that share no model do not wait
  ///   for each other.
  /// - Errors: throws the first error of a service that no ``Service/transformError(_:)`` turned into an action, or the
  ///   error of the action that it was turned into. Services that run at the same time finish first, and their errors
  ///   are reported as ``ServiceDiagnostic/furtherError(action:error:)``. Throws `CancellationError` if the task is
  ///   cancelled: before the first service, and between services that run one after the other. Throws ``ClusterError``
  ///   if the cluster takes no actions.
  /// - Complexity: O(services that react to this type of action), whatever else is in the tree. A task is started only
  ///   where two or more services side by side react.
  public func send(action: any Action) async throws {
    try await core.send(action)
  }

  /// Ends the cluster in good order. It refuses further actions, stops the emitters, waits until all running work has
  /// finished, and runs ``Service/teardown(_:)`` handlers.
  ///
  /// Running work is not cancelled, and it may send. A second call waits for the same end. A handler, a teardown, and a
  /// task that one of them waits for cannot wait for the end of the cluster. There the call returns at once, and the
  /// cluster ends when they are done.
  ///
  /// - Ordering: teardown handlers of parents run before those of their children, and those of the last sibling first.
  /// - Concurrency: may be called from any thread and task.
  public func shutdown() async {
    await core.shutDown(hooks)
  }

  /// Sends as ``send(action:)`` does, without keeping the cluster alive.
  ///
  ///     let presenter = Presenter(send: cluster.weakSend)
  ///
  /// - Errors: throws ``ClusterError/released`` once the cluster is gone.
  public var weakSend: Send { core.weakSend }
}

extension Cluster: CustomStringConvertible {
  /// The running tree, indented, one service a line: its name, the modifiers around it (the nearest first, in
  /// brackets), and the types of actions that it handles.
  ///
  ///     Cluster
  ///       Group [serial, transformError]
  ///         IdentityService [with(IdentityModel)]
  ///           Store<IdentityModel>: IdentityAction, StartUpAction
  ///
  /// - Complexity: O(services).
  public var description: String { TreeDescription(places, labels).text }
}

/// Makes a running cluster of a tree of services: `try await Bootstrap { … }`. See ``Cluster``.
public typealias Bootstrap = Cluster
