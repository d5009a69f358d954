/// An intention, as a value: something that an application should do, with one type of result.
///
///     struct BookList: Command { typealias Output = [Book] }
///
/// A command does not say how it is carried out: that is the task of its ``CommandHandler``. Any type can be the
/// output, and so can a tuple or `Void`. Handlers, reactions and middleware are found by the type of the command, so a
/// generic command is one command for each of its arguments.
///
/// The idea of commands, handlers, events and reactions is Aftermath's.
public protocol Command: Sendable {
  /// The type of the result.
  associatedtype Output: Sendable
}
