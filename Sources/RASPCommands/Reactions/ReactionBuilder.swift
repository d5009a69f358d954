/// Something that makes a reaction: a view's way to show a list, to be used by many screens.
///
///     struct ShowBooks: ReactionBuilder {
///       let list: ListView
///       func buildReaction() -> Reaction<[Book]> { Reaction(consume: { list.show($0) }) }
///     }
///     let token = engine.react(to: BookList.self, with: ShowBooks(list: list))
///
/// A ``Reaction`` is its own builder, so whatever takes a builder takes a reaction.
public protocol ReactionBuilder<Output>: Sendable {
  /// What is reacted to.
  associatedtype Output: Sendable

  /// Makes the reaction; called once, when it is registered.
  func buildReaction() -> Reaction<Output>
}

extension Reaction: ReactionBuilder {
  /// Itself.
  public func buildReaction() -> Reaction<Output> { self }
}
