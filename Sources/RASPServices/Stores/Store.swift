/// A service around a model: for each type of actions it says what happens to the model.
///
///     Store(model: IdentityModel.self)
///       .mutate(on: IdentityAction.self) { model, action, send in
///         model.name = action.name
///         try await send(ArticlesAction.load)
///       }
///
/// The model is handed in from outside, with ``Service/with(model:)``, here or further up, so that tests can hand in
/// another one. A store without a model of its type does nothing, which is reported as
/// ``ServiceDiagnostic/missingModel(model:store:available:)``.
///
/// ### Models that are values
///
/// The cluster keeps the value, and what a mutation changes stays changed, also if it throws afterwards. Mutations of one
/// model run one at a time, in the order of arrival, and a mutation has the model to itself from its beginning to its end,
/// across every `await` in it.
///
/// Therefore it does not wait for the cluster: what it sends is put in line, and `send` returns at once. When the action
/// that is on its way has reached everybody, the line is sent, in order, and only then does the `send` outside return,
/// which also throws the errors of the line. So an action may come back to the same model, and two models may send to each
/// other, without a deadlock and without a lost change. Do not wait in a mutation for a detached task that sends to the
/// same model: nothing can tell that the one belongs to the other.
///
/// ### Models that are actors or classes
///
/// They protect themselves: mutations run as actions come, several at once, and `send` waits as it does everywhere else.
/// Where the type of the model is a protocol, what counts is what the protocol holds at the time.
public struct Store<Model: Sendable>: Service, PrimitiveService, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  private typealias Mutation = @Sendable (_ slot: ModelSlot<Model>, _ send: @escaping Send, _ scope: Scope?) -> Handler
  private typealias Preparation = @MainActor @Sendable (inout Model) async throws -> Void

  private var mutations: [Mutation] = []
  private var preparations: [Preparation] = []

  /// A store for a model that is handed in by ``Service/with(model:)``.
  public init(model: Model.Type) {}

  /// Says what happens to the model when an action of this type comes.
  ///
  /// Several for one type run in the order they are declared, each with the model to itself.
  ///
  /// - Parameters:
  ///   - type: the type of actions. Actions of other types never get here.
  ///   - mutation: gets the model, the action, and a way to send others.
  public func mutate<A: Action>(
    on type: A.Type,
    _ mutation: @escaping @Sendable (inout Model, A, @escaping Send) async throws -> Void
  ) -> Store {
    var store = self
    store.mutations.append { slot, send, scope in
      Handler(on: type) { action, delivery in
        try await Scope.within(scope) {
          try await slot.mutate(in: delivery) { try await mutation(&$0, action, send) }
        }
      }
    }
    return store
  }

  /// Prepares the model before any action comes, on the main actor: see ``Service/bootstrap(_:)``.
  public func bootstrap(
    _ preparation: @escaping @MainActor @Sendable (inout Model) async throws -> Void
  ) -> Store {
    var store = self
    store.preparations.append(preparation)
    return store
  }

  func nodes(at place: Place, in building: Building) -> [Node] {
    let name = "Store<\(Model.self)>"
    let inner = place.inside(name)
    guard let given = place.models[ObjectIdentifier(Model.self)], let slot = given.content as? ModelSlot<Model> else {
      let available = place.models.values.map(\.name).sorted()
      building.report(.missingModel(model: "\(Model.self)", store: inner.name, available: available))
      return [Node(name: name, remark: "no model")]
    }
    given.isUsed = true
    let (send, scope) = (place.send, place.scope)
    for preparation in preparations {
      building.add(
        LifecycleStep(place: inner.name) { delivery in
          try await Scope.within(scope) {
            try await slot.mutate(in: delivery) { try await preparation(&$0) }
          }
        }
      )
    }
    return [Node(name: name, handlers: mutations.map { $0(slot, send, scope) })]
  }
}
