/// A running tree of services, with one way in: ``send(action:)``.
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
/// Keep the cluster for as long as it should work. Nothing in the tree keeps it alive, be it a handler that has kept its
/// `send`. Releasing it cancels its emitters and lets go of everything; ``shutdown()`` does it in good order.
///
/// Two clusters share nothing but what you hand to both.
///
/// ### Ordering
///
/// Services side by side get an action at once, unless ``Service/serial()`` puts them in order. Two sends from two tasks are
/// under way at once; what a mutation has to itself is its model, see ``Store``.
public final class Cluster: Sendable {
  private let core: ClusterCore
  private let root: Node
  private let steps: [LifecycleStep]

  /// Reads the tree, starts it, and returns when it runs: see ``Bootstrap``.
  ///
  /// On the main actor, in this order: bodies are read and the plan for each type of actions is made; watchers get the
  /// states their reducers begin with; ``Service/bootstrap(_:)`` handlers run, children before their parents; emitters
  /// that are consumed at bootstrap are read to their ends, one after the other; the other emitters are started. Actions
  /// can be sent as soon as the plan is there.
  ///
  /// - Parameters:
  ///   - diagnostics: hears of mistakes, with names and remedies. Without it, a mistake that would leave part of the tree
  ///     dead is thrown instead (see ``ServiceDiagnostic/isFatal``), and others are not heard of.
  ///   - content: the services.
  /// - Throws: the first error of a bootstrap handler, or of an emitter that is consumed at bootstrap; what had been
  ///   started is taken down again first. `CancellationError` when the task is cancelled.
  @MainActor
  public init(
    diagnostics: (@Sendable (ServiceDiagnostic) -> Void)? = nil,
    @ServiceBuilder content: @MainActor () -> some Service
  ) async throws {
    let core = ClusterCore(report: diagnostics ?? { _ in })
    self.core = core
    let building = Building()
    var place = Place(environment: EnvironmentValues())
    place.environment.send = core.weakSend
    let children = building.nodes(of: content(), at: place)
    building.finish()
    root = Node(name: "Cluster", order: place.order, children: children)
    steps = building.steps

    for problem in building.problems {
      if diagnostics == nil, problem.isFatal { throw problem }
      core.report(problem)
    }
    core.open(root)
    try await core.start(building)
  }

  deinit {
    core.abandon()
  }

  /// Hands an action to all services that react to it, and returns when they are done, and with them everything that was
  /// sent meanwhile by what they waited for.
  ///
  /// From inside a mutation of a model that is a value, and from inside a watcher, the action is put in line instead: it is
  /// sent when the action that is on its way has reached everybody, and before the `send` that is waited for outside
  /// returns; its errors are thrown there. See ``Store``.
  ///
  /// - Throws: the first error of a service that no ``Service/transformError(_:)`` turned into an action, or the error of
  ///   the action it was turned into. Services that run concurrently are let finish first; errors of the others are
  ///   reported as ``ServiceDiagnostic/furtherError(action:error:)``. `CancellationError` if the task is cancelled, at once
  ///   and between services that run one after the other. ``ClusterError`` if the cluster takes no actions.
  /// - Concurrency: callable from any thread and task, also from handlers. Nothing is serialised that shares no model.
  /// - Complexity: O(services that react to the type of the action), whatever else is in the tree. A task is started only
  ///   where two or more services side by side react.
  public func send(action: some Action) async throws {
    try await core.send(action)
  }

  /// Ends the cluster in good order: refuses further actions, stops the emitters, waits until everything that is under way
  /// has finished, and runs ``Service/teardown(_:)`` handlers, parents before their children and the last sibling first.
  ///
  /// Work that is under way is not cancelled, and may send. Calling again waits for the same end. From inside a handler, a
  /// teardown or a task that is waited for there it cannot wait, so it returns at once and the rest follows when they are
  /// done.
  public func shutdown() async {
    await core.shutDown(steps)
  }

  /// What ``send(action:)`` does, without keeping the cluster.
  package var weakSend: Send { core.weakSend }

  /// How many steps an action of a type takes, for tests.
  package func stepCount<A: Action>(for type: A.Type) -> Int {
    core.stepCount(for: type)
  }

  /// The tree, as it was read.
  var tree: Node { root }
}

/// Makes a running cluster of a tree of services: `try await Bootstrap { … }`. See ``Cluster``.
public typealias Bootstrap = Cluster
