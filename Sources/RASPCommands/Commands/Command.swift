/// An intention: what is to be done, as a value, with one kind of result.
///
///     struct BookList: Command { typealias Output = [Book] }
///
/// A command says what, never how: that is its ``CommandHandler``'s business. Any type can be the output, also a tuple or
/// `Void`. Handlers, reactions and middleware are found by the type of the command, so a generic command is one command
/// for each of its arguments.
///
/// The idea of commands, handlers, events and reactions is Aftermath's.
public protocol Command: Sendable {
  /// What carrying out the command results in.
  associatedtype Output: Sendable
}
