/// The settings at one place of the tree, as the modifiers around it made them. A value, so a service cannot change the
/// settings of its siblings.
struct BuildContext {
  var environment: EnvironmentValues
  /// The services whose bodies lead to this place, for `@Environment`.
  var scope: Scope?
  var order = SiblingOrder.concurrent
  /// The nearest model of each type.
  var models: [ObjectIdentifier: Provided] = [:]
  /// The types of the models that this very service got, by modifiers with no service between them.
  var modelsHere: Set<ObjectIdentifier> = []
  /// All watchers of each type of state, the outermost first.
  var watchers: [ObjectIdentifier: [Provided]] = [:]
  /// The transforms around this place, the outermost first.
  var transforms: [ErrorTransform] = []
  /// The services that lead to this place.
  private(set) var path: TreePath?

  init(environment: EnvironmentValues) {
    self.environment = environment
  }

  /// The context of a child of the service `name`, which stands in this context.
  ///
  /// - Parameter type: the type of the service, if it has a body.
  func inside(_ name: String, type: ObjectIdentifier? = nil) -> BuildContext {
    var context = forSibling
    context.path = TreePath(name: name, type: type, around: path)
    return context
  }

  /// This context for one of several services that stand in it.
  var forSibling: BuildContext {
    var context = self
    context.modelsHere = []
    return context
  }

  /// The name of this place in diagnostics.
  var place: String { path?.description ?? "Cluster" }

  /// Sends actions from this place.
  var send: Send { environment.send }
}

/// A service that leads to a place, and the services around it.
///
/// Safe to share: immutable but for the link outwards, which only `deinit` changes.
final class TreePath: CustomStringConvertible {
  private let name: String
  private let type: ObjectIdentifier?
  private var around: TreePath?
  init(name: String, type: ObjectIdentifier?, around: TreePath?) {
    self.name = name
    self.type = type
    self.around = around
  }

  /// The number of services on this path that have a type.
  ///
  /// - Complexity: O(length of the path).
  func count(of type: ObjectIdentifier) -> Int {
    var count = 0
    var next: TreePath? = self
    while let current = next {
      if current.type == type { count += 1 }
      next = current.around
    }
    return count
  }

  /// Releases a long path step by step. Recursion would need a stack as deep as the path is long.
  deinit {
    var next = around.take()
    while isKnownUniquelyReferenced(&next) { next = next?.around.take() }
  }

  var description: String {
    var names = [name]
    var next = around
    while let current = next {
      names.append(current.name)
      next = current.around
    }
    return names.reversed().joined(separator: " › ")
  }
}

/// A model or a watcher that a modifier provides to the services under it.
@MainActor
final class Provided {
  let content: any Sendable
  /// The name of its type and the place of the modifier, for people.
  let name: String
  let place: String
  var isUsed = false

  init(_ content: some Sendable, name: String, place: String) {
    self.content = content
    self.name = name
    self.place = place
  }
}
