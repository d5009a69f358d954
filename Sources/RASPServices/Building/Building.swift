/// One reading of a tree: makes nodes of services, and collects on the way what is to run when the cluster starts.
@MainActor
final class Building {
  /// Deeper than any tree that ends.
  private static let deepest = 256

  /// In the order in which they are to run: children first.
  private(set) var steps: [LifecycleStep] = []
  /// Children first.
  private(set) var emitters: [Emission] = []
  /// What watchers are to be told before anything happens.
  private(set) var announcements: [Notices.Notice] = []
  private(set) var problems: [ServiceDiagnostic] = []
  private var models: [Given<any AnyModelSlot>] = []
  private var watchers: [Given<any AnyWatcher>] = []
  /// Services whose bodies do not end. Not entered again: with two of themselves in a body, there would be no end of cutting
  /// them off.
  private var endless: Set<ObjectIdentifier> = []

  /// What a service is at a place.
  func nodes(of service: any Service, at place: Place) -> [Node] {
    if let primitive = service as? any PrimitiveService { return primitive.nodes(at: place, in: self) }

    let name = String(describing: type(of: service))
    let kind = ObjectIdentifier(type(of: service))
    if endless.contains(kind) { return [] }
    guard place.path.count < Self.deepest else {
      endless.insert(kind)
      report(.endlessBody(service: name))
      return []
    }
    var inner = place.inside(name)
    let uses = EnvironmentUse.all(in: service)
    if !uses.isEmpty {
      inner.scope = Scope(uses: uses.map(\.id), values: place.environment, around: place.scope)
      for use in uses {
        guard let missing = use.missingObject(place.environment) else { continue }
        report(.missingEnvironmentObject(object: missing, service: inner.name))
      }
    }
    // Modifiers may read the environment too, while they are built.
    let children = CallContext.$current.withValue(CallContext(scope: inner.scope)) {
      nodes(of: service.body, at: inner)
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

  func add(_ model: Given<any AnyModelSlot>) {
    models.append(model)
  }

  func add(_ watcher: Given<any AnyWatcher>) {
    watchers.append(watcher)
  }

  func report(_ problem: ServiceDiagnostic) {
    problems.append(problem)
  }

  /// The tree is complete: what nobody took is a problem too.
  func finish() {
    for model in models where !model.isUsed {
      report(.unusedModel(model: model.name, place: model.place))
    }
    for watcher in watchers where !watcher.isUsed {
      report(.unusedWatcher(state: watcher.name, place: watcher.place))
    }
  }
}

/// Something that runs once when the cluster starts, and something that runs once when it shuts down.
struct LifecycleStep: Sendable {
  var place: String
  var bootstrap: @MainActor @Sendable (Delivery) async throws -> Void = { _ in }
  var teardown: (@Sendable () async throws -> Void)?
}
