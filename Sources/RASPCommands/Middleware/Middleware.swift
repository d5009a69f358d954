/// Stands between the senders of commands and their handlers, or between those who publish events and the reactions.
///
/// `Input` says which: command middleware gets every command of an engine as `any Command`, and event middleware gets
/// every event, facts included, as `any AnyCommandEvent`.
///
///     struct RequireLogin: Middleware {
///       let session: Session
///
///       func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
///         guard command is any Restricted else { return next(command) }
///         return .waiting {
///           guard await session.isValid else { throw NotLoggedIn() }
///           return await next(command).outcome
///         }
///       }
///     }
///
///     struct HideDrafts: Middleware {
///       func intercept(
///         _ event: any AnyCommandEvent, next: Next<any AnyCommandEvent>
///       ) throws -> MiddlewareResult<any AnyCommandEvent> {
///         guard case .data(let books)? = event as? CommandEvent<BookList> else { return next(event) }
///         return next(CommandEvent<BookList>.data(books.filter { !$0.isDraft }))
///       }
///     }
///
///     engine.add(RequireLogin(session: session))
///     engine.add(HideDrafts())
///
/// A middleware wraps the rest of the chain, so it can
///
/// - observe: look at the input before `next`, and at the outcome with ``MiddlewareResult/then(_:)``;
/// - change: give `next` another input;
/// - stop: return ``MiddlewareResult/stopped`` without calling `next`;
/// - retry: call `next` again; the last outcome counts;
/// - fail: throw, or return ``MiddlewareResult/failed(_:)``.
///
/// The outcome of an execution is that of the outermost middleware. Only that is published, so a failed attempt that is
/// retried is no event. An event that was delivered counts as handled whatever a middleware returns.
///
/// A command of another type that is given to `next` is carried out by its own handler, behind this middleware, and its
/// own reactions get its events. The command that was executed is stopped then. In the same way, an event of another
/// command goes to the reactions to that command.
///
/// - Ordering: the first is the outermost. Outer middleware gets the errors of inner middleware.
/// - Concurrency: a middleware that does not use ``MiddlewareResult/waiting(_:)`` leaves a command on the thread of its
///   sender. Event middleware runs on the thread that publishes. Any number of calls may run at the same time.
/// - Errors: an error that leaves the outermost command middleware fails the command. An error that leaves the
///   outermost event middleware is published in place of the event, past all middleware, and goes to the error handler.
public protocol Middleware<Input>: Sendable {
  /// `any Command` or `any AnyCommandEvent`, inferred from ``intercept(_:next:)``.
  associatedtype Input: Sendable

  /// Handles a command or an event on its way.
  ///
  /// - Errors: an error fails what is on its way, unless outer middleware goes on after it.
  /// - Parameters:
  ///   - input: the command or the event.
  ///   - next: the rest of the chain.
  /// - Returns: the way that counts.
  func intercept(_ input: Input, next: Next<Input>) throws -> MiddlewareResult<Input>
}

/// The rest of the chain behind a middleware.
public struct Next<Input: Sendable>: Sendable {
  /// The engine. A command that is executed on it goes through the whole chain from the start.
  public let engine: EngineHandle

  private let rest: @Sendable (Input) -> MiddlewareResult<Input>

  init(engine: EngineHandle, rest: @escaping @Sendable (Input) -> MiddlewareResult<Input>) {
    self.engine = engine
    self.rest = rest
  }

  /// Passes a command or an event on.
  ///
  /// - Errors: once the execution has ended or was cancelled, a command is not passed on; the way fails with a
  ///   `CancellationError`.
  public func callAsFunction(_ input: Input) -> MiddlewareResult<Input> { rest(input) }
}
