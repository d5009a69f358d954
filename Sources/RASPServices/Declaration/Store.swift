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
/// ### The actor
///
/// Mutations run off the main actor. With ``init(model:on:)`` all mutations of a store run on an actor, and so does a
/// single one that says so: `{ @MainActor model, action, send in … }`.
///
/// - Ordering: mutations of one model that is a value run one at a time, in the order of the actions' arrival.
public struct Store<Model: Sendable>: Service, TreePart, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  private typealias Home = MutationHome<Model>
  private typealias Preparation = @MainActor @Sendable (inout Model) async throws -> Void

  private let isolation: (any Actor)?
  private var mutations: [@Sendable (Home) -> Handler] = []
  private var preparations: [Preparation] = []

  /// Makes a store for a model that ``Service/with(model:)`` hands in.
  public init(model: Model.Type) {
    isolation = nil
  }

  /// Makes a store whose mutations run on an actor, such as `MainActor.shared`.
  ///
  ///     Store(model: Screen.self, on: MainActor.shared)
  ///       .mutate(on: ScreenAction.self) { @MainActor screen, action, send in screen.show(action) }
  ///
  /// The compiler lets a mutation use what belongs to the main actor if it is marked `@MainActor`.
  ///
  /// - Parameters:
  ///   - model: the type of the model.
  ///   - actor: the actor. The store keeps it.
  public init(model: Model.Type, on actor: any Actor) {
    isolation = actor
  }

  /// Changes the model when an action of a type comes, without sending or waiting.
  ///
  ///     .mutate(on: CounterAction.self) { counter, action in counter += action.step }
  ///
  /// - Ordering: as in `mutate(on:_:)` with three parameters.
  /// - Concurrency: if the model is a value and free, the mutation runs without suspending the sender. This is the
  ///   fastest way to change a model.
  /// - Errors: if `mutation` throws, the action has failed, and the model keeps the changes that were made before.
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - mutation: gets the model and the action. For one that belongs to an actor, such as `{ @MainActor … }`, take
  ///     the form with three parameters.
  public func mutate<A: Action>(
    on type: A.Type,
    _ mutation: @escaping @Sendable (inout Model, A) throws -> Void
  ) -> Store {
    var store = self
    let isolation = isolation
    store.mutations.append { home in
      Handler(
        on: type,
        Mutation<Model, A>(home, isolation, now: isolation == nil ? mutation : nil) { model, action, _ in
          try mutation(&model, action)
        }
      )
    }
    return store
  }

  /// Changes the model when an action of a type comes.
  ///
  /// - Ordering: several mutations for one type run in the order of their declaration, each with the model to itself.
  /// - Concurrency: a mutation without `await` does not suspend. It stays in the task of the sender, unless services
  ///   side by side react.
  /// - Errors: if `mutation` throws, the action has failed, and the model keeps the changes that were made before. A
  ///   mutation of a model that is a value throws `CancellationError`, without running, if the task that sends is
  ///   cancelled while the mutation waits for the model.
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - mutation: gets the model, the action, and a `send` for other actions.
  public func mutate<A: Action>(
    on type: A.Type,
    _ mutation: nonisolated(nonsending) @escaping @Sendable (inout Model, A, @escaping Send) async throws -> Void
  ) -> Store {
    var store = self
    let isolation = isolation
    store.mutations.append { home in Handler(on: type, Mutation<Model, A>(home, isolation, now: nil, mutation)) }
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

  func place(in context: BuildContext, of reader: TreeReader) -> Placement {
    let name = "Store<\(Model.self)>"
    let inner = context.inside(name)
    var placement = Placement(label: PlaceLabel(name: name), context: inner)
    guard let provided = context.models[ObjectIdentifier(Model.self)], let slot = provided.content as? ModelSlot<Model>
    else {
      let available = context.models.values.map(\.name).sorted()
      reader.report(.missingModel(model: "\(Model.self)", store: inner.place, available: available))
      placement.label?.remark = "no model"
      return placement
    }
    provided.isUsed = true
    let home = Home(slot: slot, send: context.send, scope: context.scope)
    for preparation in preparations {
      reader.add(
        LifecycleHook(place: inner.place) { call in
          try await slot.mutate(in: call, scope: home.scope) { try await preparation(&$0) }
        }
      )
    }
    placement.handlers = mutations.map { $0(home) }
    return placement
  }
}

extension Service {
  /// Hands a model to the stores of its type under this service. The nearest modifier wins.
  ///
  ///     IdentityService().with(model: identity)
  ///     IdentityService().with(model: mock as any IdentityModel)   // for Store(model: (any IdentityModel).self)
  ///
  /// Several stores under this service share the one model. The type is the static one. A model that no store takes,
  /// and two models of one type on one service, are reported.
  public func with<Model: Sendable>(model: Model) -> some Service {
    modified("with(\(Model.self))") { placement, reader in
      let id = ObjectIdentifier(Model.self)
      let (name, place) = ("\(Model.self)", placement.context.place)
      let provided = Provided(ModelSlot(model), name: name, place: place)
      if let outer = placement.context.models[id], placement.context.modelsHere.contains(id), !outer.isUsed {
        outer.isUsed = true
        reader.report(.ambiguousModel(model: name, place: place))
      }
      placement.context.models[id] = provided
      placement.context.modelsHere.insert(id)
      reader.expectUse(of: provided, or: .unusedModel(model: name, place: place))
    }
  }
}
