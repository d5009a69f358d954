/// Something that has happened, as a value: a message to whoever is interested, with no handler and no result.
///
///     struct LoginFact: Fact { let username: String }
///
///     engine.post(LoginFact(username: "kim"))
///
/// Only who listens for facts of that very type hears of it. A fact is kept nowhere: who comes later missed it.
public protocol Fact: Sendable {}

/// The command that a fact would be the result of: what ``EventMiddleware`` sees of facts.
///
///     if case .data(let login)? = event as? CommandEvent<FactCommand<LoginFact>> { … }
///
/// A fact is an event without an execution, so everything that holds for events holds for facts.
public enum FactCommand<Posted: Fact>: Command {
  /// The fact.
  public typealias Output = Posted
}
