/// Something that makes a command when one is wanted, from a form, a selection, a row.
///
///     struct Search: CommandBuilder {
///       let field: SearchField
///       func buildCommand() throws -> BookSearch { try BookSearch(words: field.words()) }
///     }
///     engine.execute(builder: Search(field: field))
///
/// The counterpart of ``ReactionBuilder``.
public protocol CommandBuilder<BuiltCommand>: Sendable {
  /// What is built.
  associatedtype BuiltCommand: Command

  /// Makes a command.
  ///
  /// - Throws: if there is none to be made. The execution has failed then, as if a handler had thrown: the error goes to
  ///   the reactions and to the engine's error handler.
  func buildCommand() throws -> BuiltCommand
}
