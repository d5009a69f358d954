/// What holds at one place of the tree: everything the modifiers around it have said. A value, so siblings cannot get at
/// each other's.
struct Place {
  var environment: EnvironmentValues
  /// The services whose bodies lead here, for `@Environment`.
  var scope: Scope?
  var order = ExecutionOrder.concurrent
  /// The nearest model of each type.
  var models: [ObjectIdentifier: GivenModel] = [:]
  /// The types of the models that were given to this very service, by modifiers with nothing but modifiers between.
  var modelsHere: Set<ObjectIdentifier> = []
  /// All watchers of each type of state, the outermost first.
  var watchers: [ObjectIdentifier: [GivenWatcher]] = [:]
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

/// A model that a modifier gave, and whether a store has taken it.
@MainActor
final class GivenModel {
  let slot: any Sendable
  let name: String
  let place: String
  var isUsed = false

  init(slot: any Sendable, name: String, place: String) {
    self.slot = slot
    self.name = name
    self.place = place
  }
}

/// A watcher that a modifier gave, and whether there was a reducer for it.
@MainActor
final class GivenWatcher {
  let watcher: any Sendable
  let name: String
  let place: String
  var isUsed = false

  init(watcher: any Sendable, name: String, place: String) {
    self.watcher = watcher
    self.name = name
    self.place = place
  }
}

/// How services side by side get an action.
enum ExecutionOrder: Sendable {
  case concurrent
  case serial
}
