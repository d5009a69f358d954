/// The settings at one place of the tree, as the modifiers around it made them. A value, so a service cannot change the
/// settings of its siblings.
struct BuildContext {
  var environment: EnvironmentValues
  /// The services whose bodies lead to this place, for `@Environment`.
  var scope: Scope?
  var order = ExecutionOrder.concurrent
  /// The nearest model of each type.
  var models: [ObjectIdentifier: Provided<any AnyModelSlot>] = [:]
  /// The types of the models that this very service got, by modifiers with no service between them.
  var modelsHere: Set<ObjectIdentifier> = []
  /// All watchers of each type of state, the outermost first.
  var watchers: [ObjectIdentifier: [Provided<any AnyWatcher>]] = [:]
  /// The names of the services that lead to this place.
  var path: [String] = []

  /// The context of a child of the service `name`, which stands in this context.
  func inside(_ name: String) -> BuildContext {
    var context = forSibling
    context.path.append(name)
    return context
  }

  /// This context for one of several services that stand in it.
  var forSibling: BuildContext {
    var context = self
    context.modelsHere = []
    return context
  }

  /// The name of this place in diagnostics.
  var place: String { path.isEmpty ? "Cluster" : path.joined(separator: " › ") }

  /// Sends actions from this place.
  var send: Send { environment.send }
}

/// A model or a watcher that a modifier provides to the services under it.
@MainActor
final class Provided<Content: Sendable> {
  let content: Content
  /// The name of its type and the place of the modifier, for people.
  let name: String
  let place: String
  var isUsed = false

  init(_ content: Content, name: String, place: String) {
    self.content = content
    self.name = name
    self.place = place
  }
}

/// The order in which services side by side get an action.
enum ExecutionOrder: Sendable {
  case concurrent
  case serial
}
