/// Makes a reaction, so that several screens can share, for example, the way in which a view shows a list.
///
///     struct ShowBooks: ReactionBuilder {
///       let list: ListView
///       func buildReaction() -> Reaction<[Book]> { Reaction(consume: { list.show($0) }) }
///     }
///     let token = engine.react(to: BookList.self, with: ShowBooks(list: list))
///
/// A ``Reaction`` is its own builder, so every function that takes a builder takes a reaction.
public protocol ReactionBuilder<Output>: Sendable {
  /// The type of the results.
  associatedtype Output: Sendable

  /// Makes the reaction. It is called once, when the reaction is registered.
  func buildReaction() -> Reaction<Output>
}

extension Reaction: ReactionBuilder {
  /// Returns this reaction.
  public func buildReaction() -> Reaction<Output> { self }
}
