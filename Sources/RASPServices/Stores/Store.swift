/// A service around a model, which changes the model when actions come.
///
///     Store(model: IdentityModel.self)
///       .mutate(on: IdentityAction.self) { model, action, send in
///         model.name = action.name
///         try await send(ArticlesAction.load)
///       }
///
/// The model is handed in from outside with ``Service/with(model:)``, here or further up in the tree, so that a test
/// can hand in another one. A store without a model of its type does nothing, which is reported as
/// ``ServiceDiagnostic/missingModel(model:store:available:)``.
///
/// ### Models that are values
///
/// The cluster keeps the value. What a mutation has changed stays changed, also if the mutation throws afterwards. A
/// mutation has the model to itself from its beginning to its end, across every `await` in it.
///
/// Therefore a mutation does not wait for the cluster. An action that it sends is postponed, and its `send` returns at
/// once. When the action that caused the mutation has reached all its services, the postponed actions are sent, in
/// order, and only then does the outer `send` return, which also throws their errors. So an action may come back to the
/// same model, and two models may send to each other, without a deadlock and without a lost change. Do not wait in a
/// mutation for a detached task that sends to the same model: the cluster cannot know that the one waits for the other.
///
/// ### Models that are actors or classes
///
/// They protect themselves. Their mutations run as actions come, several at the same time, and their `send` waits as it
/// does everywhere else. If the type of the model is a protocol, the value that it holds at the time decides.
///
/// - Ordering: mutations of one model that is a value run one at a time, in the order of the actions' arrival.
public struct Store<Model: Sendable>: Service, PrimitiveService, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  private typealias Mutation = @Sendable (_ slot: ModelSlot<Model>, _ send: @escaping Send, _ scope: Scope?) -> Handler
  private typealias Preparation = @MainActor @Sendable (inout Model) async throws -> Void

  private var mutations: [Mutation] = []
  private var preparations: [Preparation] = []

  /// Makes a store for a model that ``Service/with(model:)`` hands in.
  public init(model: Model.Type) {}

  /// Changes the model when an action of a type comes.
  ///
  /// - Ordering: several mutations for one type run in the order of their declaration, each with the model to itself.
  /// - Errors: if `mutation` throws, the action has failed, and the model keeps the changes that were made before. A
  ///   mutation of a model that is a value throws `CancellationError`, without running, if the task that sends is
  ///   cancelled while the mutation waits for the model.
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - mutation: gets the model, the action, and a `send` for other actions.
  public func mutate<A: Action>(
    on type: A.Type,
    _ mutation: @escaping @Sendable (inout Model, A, @escaping Send) async throws -> Void
  ) -> Store {
    var store = self
    store.mutations.append { slot, send, scope in
      Handler(on: type) { action, dispatch in
        try await Scope.within(scope) {
          try await slot.mutate(in: dispatch) { try await mutation(&$0, action, send) }
        }
      }
    }
    return store
  }

  /// Prepares the model before any action comes: see ``Service/bootstrap(_:)``.
  ///
  /// - Concurrency: runs on the main actor.
  /// - Errors: if `preparation` throws, `Bootstrap` throws the error.
  public func bootstrap(
    _ preparation: @escaping @MainActor @Sendable (inout Model) async throws -> Void
  ) -> Store {
    var store = self
    store.preparations.append(preparation)
    return store
  }

  func nodes(in context: BuildContext, with builder: TreeBuilder) -> [Node] {
    let name = "Store<\(Model.self)>"
    let inner = context.inside(name)
    guard let provided = context.models[ObjectIdentifier(Model.self)], let slot = provided.content as? ModelSlot<Model>
    else {
      let available = context.models.values.map(\.name).sorted()
      builder.report(.missingModel(model: "\(Model.self)", store: inner.place, available: available))
      return [Node(name: name, remark: "no model")]
    }
    provided.isUsed = true
    let (send, scope) = (context.send, context.scope)
    for preparation in preparations {
      builder.add(
        LifecycleStep(place: inner.place) { dispatch in
          try await Scope.within(scope) { @Sendable in
            try await slot.mutate(in: dispatch) { try await preparation(&$0) }
          }
        }
      )
    }
    return [Node(name: name, handlers: mutations.map { $0(slot, send, scope) })]
  }
}
