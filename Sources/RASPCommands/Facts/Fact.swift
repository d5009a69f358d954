/// Something that has happened, as a value: a message to all reactions of its type, with no handler and no result.
///
///     struct LoginFact: Fact { let username: String }
///
///     engine.post(LoginFact(username: "kim"))
///
/// A reaction gets the facts of exactly the type that it names. The engine does not keep facts: a reaction that comes
/// later does not get them.
public protocol Fact: Sendable {}

/// The command of which a fact would be the result, as ``EventMiddleware`` gets it.
///
///     if case .data(let login)? = event as? CommandEvent<FactCommand<LoginFact>> { … }
///
/// A fact is an event without an execution, so everything that holds for events holds for facts.
public enum FactCommand<Posted: Fact>: Command {
  /// The type of the fact.
  public typealias Output = Posted
}
