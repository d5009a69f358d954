@_exported import enum RASPSupport.OverlapPolicy

/// An intention, as a value: something that an application should do, with one type of result.
///
///     struct BookList: Command { typealias Output = [Book] }
///
/// A command does not say how it is carried out: that is the task of its ``CommandHandler``. Any type can be the
/// output, and so can a tuple or `Void`. Handlers, reactions and middleware are found by the type of the command, so a
/// generic command is one command for each of its arguments.
///
/// A command may say what happens when it is executed again while it is running, and how long it may take:
///
///     struct BookSearch: Command {
///       typealias Output = [Book]
///       static let overlap = OverlapPolicy.newest       // a new search cancels the one before
///       static let timeLimit: Duration? = .seconds(10)
///       let words: String
///     }
///
/// With a key the policy holds for each key by itself, as for each of many lamps:
///
///     struct Switch: Command {
///       typealias Output = Void
///       static let overlap = OverlapPolicy.newest   // a new command for a lamp cancels the one before it
///       var overlapKey: (any Hashable & Sendable)? { lamp }
///       let lamp: String
///       let isOn: Bool
///     }
///
/// The idea of commands, handlers, events and reactions is Aftermath's.
public protocol Command: Sendable {
  /// The type of the result.
  associatedtype Output: Sendable

  /// The policy for a command of this type that is executed while another one runs on the same engine. By default they
  /// run side by side.
  ///
  /// An execution that is replaced is cancelled: its outcome is a `CancellationError`. An execution that is dropped is
  /// stopped. An execution that waits for its turn has not reached any middleware, and can be cancelled.
  ///
  /// A handler may execute a command of its own type and key, directly, in a task that it starts, or by way of another
  /// command, another engine or a cluster. It would wait for itself, be cancelled by its own command, or have that one
  /// dropped; so what it executes is part of the running execution. With `newest` and `first` the new execution starts
  /// at once, and one that replaces the running one cancels both. With `serial` it waits for its turn, unless the
  /// handler awaits it: then it starts at once. The next one in line starts when both have ended. What a reaction
  /// executes is no part of what it reacts to, and a `Task.detached` is no part of the handler that starts it.
  ///
  /// Two executions of different lines that wait for each other never end, as two that wait for different keys: give
  /// one of them a ``timeLimit``, or do not wait for it in the handler.
  ///
  /// - Ordering: with `OverlapPolicy.serial`, executions start in the order in which they were executed. A command that
  ///   waits is carried out in a task of its own, also if its handler never waits, which has the task-local values of
  ///   its sender. If 65,536 wait, ``EngineError/lineGrown(_:)`` is reported.
  static var overlap: OverlapPolicy { get }

  /// Tells the executions of this type apart for ``overlap``: the policy holds among those whose keys are equal, and
  /// among those that have none. By default none has a key.
  ///
  /// Nothing is kept of a key under which nothing runs or waits.
  ///
  /// - Concurrency: read once for each execution, on the thread that executes the command and with no lock held. The
  ///   same holds for `hash(into:)` and `==` of the key. With `OverlapPolicy.concurrent` it is not read.
  var overlapKey: (any Hashable & Sendable)? { get }

  /// The time that an execution may take, on the engine's scheduler; `nil`, which is the default, for any time.
  ///
  /// An execution that takes longer fails with ``EngineError/timedOut(_:)``, and its task is cancelled. The time counts
  /// from the start, so time in which the execution waits for its turn does not count. A handler that never waits
  /// cannot be interrupted.
  static var timeLimit: Duration? { get }
}

extension Command {
  /// Side by side.
  public static var overlap: OverlapPolicy { .concurrent }

  /// No key.
  @inlinable public var overlapKey: (any Hashable & Sendable)? { nil }

  /// Any time.
  public static var timeLimit: Duration? { nil }
}

/// Something that has happened, as a value: a message to all reactions of its type, with no handler and no result.
///
///     struct LoginFact: Fact { let username: String }
///
///     engine.post(LoginFact(username: "kim"))
///
/// A reaction gets the facts of exactly the type that it names. The engine does not keep facts: a reaction that comes
/// later does not get them.
public protocol Fact: Sendable {}

/// The command of which a fact would be the result, as event middleware gets it.
///
///     if case .data(let login)? = event as? CommandEvent<FactCommand<LoginFact>> { … }
///
/// A fact is an event without an execution, so everything that holds for events holds for facts.
public enum FactCommand<Posted: Fact>: Command {
  /// The type of the fact.
  public typealias Output = Posted
}
