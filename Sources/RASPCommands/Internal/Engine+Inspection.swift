/// What tests look at.
extension Engine {
  /// How many reactions have an owner.
  package var ownedReactionCount: Int { core.owners.count }

  /// Whether anybody listens to a type of command.
  package func hasListeners<Subject: Command>(to command: Subject.Type) -> Bool {
    core.channel(of: command).listenerCount > 0
  }

  #if DEBUG
    /// How often a listener was looked at, since each channel exists: what events cost besides the listeners themselves.
    package var visitCount: Int { core.visits }
  #endif
}
