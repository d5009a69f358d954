@testable import RASPCommands

extension Engine {
  /// How many reactions have an owner.
  var ownedReactionCount: Int { handle.registry.owners.count }

  /// How many listeners an event of a type of command is handed to, besides the reaction of its own execution.
  func listenerCount<C: Command>(to command: C.Type) -> Int {
    handle.registry.route(of: command).lane.listenerCount
  }

  /// Whether anything listens to a type of command.
  func hasListeners<C: Command>(to command: C.Type) -> Bool {
    listenerCount(to: command) > 0
  }
}

extension AnyCommandEvent {
  /// The kind of this event, to be written down.
  var kind: String { isProgress ? "progress" : error == nil ? "data" : "error" }
}
