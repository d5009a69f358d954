/// What holds at one place of the tree: everything the modifiers around it have said. A value, so siblings cannot get at
/// each other's.
struct Place {
  var environment: EnvironmentValues
  /// The services whose bodies lead here, for `@Environment`.
  var scope: Scope?
  var order = ExecutionOrder.concurrent
  /// The nearest model of each type.
  var models: [ObjectIdentifier: Given<any AnyModelSlot>] = [:]
  /// The types of the models that were given to this very service, by modifiers with nothing but modifiers between.
  var modelsHere: Set<ObjectIdentifier> = []
  /// All watchers of each type of state, the outermost first.
  var watchers: [ObjectIdentifier: [Given<any AnyWatcher>]] = [:]
  /// The names of the services that lead here.
  var path: [String] = []

  /// The place of a child of the service `name` here.
  func inside(_ name: String) -> Place {
    var place = besides
    place.path.append(name)
    return place
  }

  /// The same place, for one of several services in it.
  var besides: Place {
    var place = self
    place.modelsHere = []
    return place
  }

  /// How this place is called in diagnostics.
  var name: String { path.isEmpty ? "Cluster" : path.joined(separator: " › ") }

  /// How actions are sent from here.
  var send: Send { environment.send }
}

/// What a modifier gave to the services under it, and whether one of them has taken it.
@MainActor
final class Given<Content: Sendable> {
  let content: Content
  /// The name of its type, and where it was given: for people.
  let name: String
  let place: String
  var isUsed = false

  init(_ content: Content, name: String, place: String) {
    self.content = content
    self.name = name
    self.place = place
  }
}

/// How services side by side get an action.
enum ExecutionOrder: Sendable {
  case concurrent
  case serial
}
