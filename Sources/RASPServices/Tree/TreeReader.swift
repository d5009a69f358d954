/// A part of a declaration, as the reader of the tree sees it: a service, or a modifier around services.
protocol TreePart {
  /// Takes the part's place in the tree.
  @MainActor
  func place(in context: BuildContext, of reader: TreeReader) -> Placement
}

/// What a part of a declaration comes to in the tree.
struct Placement {
  /// The place for people; `nil` for a list of services, which stand side by side without a place of their own.
  var label: PlaceLabel?
  /// The handlers of the service itself.
  var handlers: [Handler] = []
  var effect: ServicePlaces.Effect?
  /// Work at the start and at the end of the cluster. It comes after that of the services under this one.
  var hook: LifecycleHook?
  /// A source whose actions go to the services under this one.
  var emitter: EmitterDeclaration?
  /// The context of the parts under this one.
  var context: BuildContext
  var parts: [any TreePart] = []
}

/// An emitter whose place is not known yet.
struct EmitterDeclaration {
  var source: EmitterSource
  var isConsumedAtBootstrap: Bool
}

/// Work that runs once when the cluster starts, and work that runs once when it shuts down.
struct LifecycleHook: Sendable {
  var place: String
  var bootstrap: @MainActor @Sendable (Call) async throws -> Void = { _ in }
  var teardown: (@Sendable () async throws -> Void)?
}

/// What runs when a cluster starts.
struct Startup: Sendable {
  /// The hooks in the order in which they run: children first.
  var hooks: [LifecycleHook] = []
  /// The emitters, children first.
  var emitters: [Emission] = []
  /// The first states for the watchers, which they get before anything else runs.
  var notices: [Notice] = []
}

/// Reads a tree of services once: makes places of the services, and collects what runs when the cluster starts.
///
/// What is still to be read stands in a list, so a deep tree takes no deep stack.
@MainActor
final class TreeReader {
  /// A body that leads to its own type half as often as this does not end, if this many services of the type have been
  /// read. It is a number that no tree reaches in earnest.
  static let mostRepetitions = 10_000

  private enum Work {
    case read(any TreePart, BuildContext, parent: Int)
    /// All services under a place have been read.
    case leave(LifecycleHook?, Emission?)
  }

  private(set) var places = ServicePlaces()
  private(set) var labels: [PlaceLabel] = []
  private(set) var startup = Startup()
  private(set) var problems: [ServiceDiagnostic] = []
  private var provided: [(Provided, ServiceDiagnostic)] = []
  /// The types of services whose bodies do not end. They are not entered again: a body that contains its own service
  /// twice would otherwise be cut off an exponential number of times.
  private var endless: Set<ObjectIdentifier> = []
  /// The number of services of each type whose bodies have been entered.
  private var entered: [ObjectIdentifier: Int] = [:]

  /// Reports what happens when the tree runs.
  private let onReport: @Sendable (ServiceDiagnostic) -> Void

  init(onReport: @escaping @Sendable (ServiceDiagnostic) -> Void) {
    self.onReport = onReport
  }

  /// Runs the effects of a service.
  func effects(_ rule: EffectRule, of name: String, in context: BuildContext) -> EffectRunner {
    // The way to a place deep in a tree is long, and nothing waits in the line of another policy.
    let place = rule.overlap.policy == .serial ? "\(context.place) › \(name)" : name
    let onReport = onReport
    return EffectRunner(rule) { onReport(.lineGrown(place: place)) }
  }

  /// Reads a tree. A model or a watcher that no service took is reported at the end.
  func read(_ root: any TreePart, in context: BuildContext) {
    let top = places.append(ServicePlaces.Place(parent: nil))
    labels.append(PlaceLabel(name: "Cluster"))
    var works = [Work.read(root, context, parent: top)]
    while let work = works.popLast() {
      switch work {
      case .read(let part, let context, let parent):
        // Modifiers may read the environment while they are placed.
        let placement = CallContext.$current.withValue(CallContext(scope: context.scope)) {
          part.place(in: context, of: self)
        }
        let place = append(placement, under: parent)
        if let place {
          let emission = placement.emitter.map { emitter in
            Emission(
              source: emitter.source,
              isConsumedAtBootstrap: emitter.isConsumedAtBootstrap,
              send: context.send,
              branch: place,
              place: context.place
            )
          }
          if placement.hook != nil || emission != nil { works.append(.leave(placement.hook, emission)) }
        }
        for part in placement.parts.reversed() {
          works.append(.read(part, placement.context, parent: place ?? parent))
        }
      case .leave(let hook, let emission):
        if let hook { startup.hooks.append(hook) }
        if let emission { startup.emitters.append(emission) }
      }
    }
    for (item, problem) in provided where !item.isUsed { report(problem) }
  }

  private func append(_ placement: Placement, under parent: Int) -> Int? {
    guard let label = placement.label else { return nil }
    labels.append(label)
    return places.append(
      ServicePlaces.Place(
        parent: parent,
        handlers: placement.handlers,
        effect: placement.effect,
        order: placement.context.order,
        transforms: placement.context.transforms
      )
    )
  }

  /// The context of the body of a service; `nil` if the body does not end.
  func enter(_ name: String, type: ObjectIdentifier, in context: BuildContext) -> BuildContext? {
    if endless.contains(type) { return nil }
    let inner = context.inside(name, type: type)
    // A path has at most as many services of a type as the whole tree, so most paths need not be counted.
    entered[type, default: 0] += 1
    guard entered[type, default: 0].isMultiple(of: Self.mostRepetitions), let path = inner.path,
      path.count(of: type) >= Self.mostRepetitions / 2
    else { return inner }
    endless.insert(type)
    report(.endlessBody(service: name))
    return nil
  }

  /// Remembers a model or a watcher, to report `problem` if no service takes it.
  func expectUse(of item: Provided, or problem: ServiceDiagnostic) {
    provided.append((item, problem))
  }

  func add(_ hook: LifecycleHook) {
    startup.hooks.append(hook)
  }

  func announce(_ notices: [Notice]) {
    startup.notices += notices
  }

  func report(_ problem: ServiceDiagnostic) {
    problems.append(problem)
  }
}
