/// Makes a command when it is needed, for example from a form, a selection or a row.
///
///     struct Search: CommandBuilder {
///       let field: SearchField
///       func buildCommand() throws -> BookSearch { try BookSearch(words: field.words()) }
///     }
///     engine.execute(builder: Search(field: field))
///
/// ``ReactionBuilder`` is its counterpart.
public protocol CommandBuilder<CommandType>: Sendable {
  /// The type of the command.
  associatedtype CommandType: Command

  /// Makes a command.
  ///
  /// - Errors: an error fails the execution, as if a handler had thrown it. It goes to the reactions and to the
  ///   engine's error handler.
  func buildCommand() throws -> CommandType
}
