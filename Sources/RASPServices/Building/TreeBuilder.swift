/// Reads a tree of services once: makes nodes of the services, and collects what runs when the cluster starts.
@MainActor
final class TreeBuilder {
  /// The path of a body that ends is shorter than this.
  private static let deepest = 256

  /// The steps in the order in which they run: children first.
  private(set) var steps: [LifecycleStep] = []
  /// The emitters, children first.
  private(set) var emitters: [Emission] = []
  /// The first states for the watchers, which they get before anything else runs.
  private(set) var announcements: [Notices.Notice] = []
  private(set) var problems: [ServiceDiagnostic] = []
  private var models: [Provided<any AnyModelSlot>] = []
  private var watchers: [Provided<any AnyWatcher>] = []
  /// The types of services whose bodies do not end. They are not entered again: a body that contains its own service
  /// twice would otherwise be cut off an exponential number of times.
  private var endless: Set<ObjectIdentifier> = []

  /// Makes the nodes of a service in a context.
  func nodes(of service: any Service, in context: BuildContext) -> [Node] {
    if let primitive = service as? any PrimitiveService { return primitive.nodes(in: context, with: self) }

    let name = String(describing: type(of: service))
    let kind = ObjectIdentifier(type(of: service))
    if endless.contains(kind) { return [] }
    guard context.path.count < Self.deepest else {
      endless.insert(kind)
      report(.endlessBody(service: name))
      return []
    }
    var inner = context.inside(name)
    let uses = EnvironmentUse.all(in: service)
    if !uses.isEmpty {
      inner.scope = Scope(uses: uses.map(\.id), values: context.environment, around: context.scope)
      for use in uses {
        guard let missing = use.missingObject(context.environment) else { continue }
        report(.missingEnvironmentObject(object: missing, service: inner.place))
      }
    }
    // Modifiers may read the environment while they are built.
    let children = CallContext.$current.withValue(CallContext(scope: inner.scope)) {
      nodes(of: service.body, in: inner)
    }
    return [Node(name: name, order: inner.order, children: children)]
  }

  func add(_ step: LifecycleStep) {
    steps.append(step)
  }

  func add(_ emission: Emission) {
    emitters.append(emission)
  }

  func announce(_ announcement: @escaping Notices.Notice) {
    announcements.append(announcement)
  }

  func add(_ model: Provided<any AnyModelSlot>) {
    models.append(model)
  }

  func add(_ watcher: Provided<any AnyWatcher>) {
    watchers.append(watcher)
  }

  func report(_ problem: ServiceDiagnostic) {
    problems.append(problem)
  }

  /// Ends the reading: a model or a watcher that no service took is reported.
  func finish() {
    for model in models where !model.isUsed {
      report(.unusedModel(model: model.name, place: model.place))
    }
    for watcher in watchers where !watcher.isUsed {
      report(.unusedWatcher(state: watcher.name, place: watcher.place))
    }
  }
}

/// Work that runs once when the cluster starts, and work that runs once when it shuts down.
struct LifecycleStep: Sendable {
  var place: String
  var bootstrap: @MainActor @Sendable (ActionDispatch) async throws -> Void = { _ in }
  var teardown: (@Sendable () async throws -> Void)?
}
