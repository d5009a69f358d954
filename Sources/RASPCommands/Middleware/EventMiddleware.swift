/// Stands between those who publish events and the reactions, and gets every event of an engine, facts included.
///
///     struct HideDrafts: EventMiddleware {
///       func intercept(
///         _ event: any AnyCommandEvent,
///         in engine: Engine,
///         next: (any AnyCommandEvent) throws -> Interception
///       ) throws -> Interception {
///         guard case .data(let books)? = event as? CommandEvent<BookList> else { return try next(event) }
///         return try next(CommandEvent<BookList>.data(books.filter { !$0.isDraft }))
///       }
///     }
///     engine.pipeEvents(through: [HideDrafts()])
///
/// It wraps the rest of the chain like a ``CommandMiddleware``. It can observe, change (within the type of the
/// command), stop (by not calling `next`), repeat (by calling `next` again) and fail (by throwing).
///
/// - Ordering: the first in the list is the outermost. When `next` returns, the reactions have got the event, unless
///   another thread was delivering events of this type of command. Then that thread delivers it afterwards.
/// - Concurrency: runs on the thread that publishes. Any number may run at the same time.
/// - Errors: an error that leaves the outermost middleware is published as one error event in place of the event, and
///   goes to ``Engine/errorHandler``. It goes past all middleware, so it cannot loop.
public protocol EventMiddleware: Sendable {
  /// Handles an event on its way.
  ///
  /// - Errors: an error is published in place of the event, unless outer middleware silences it.
  /// - Parameters:
  ///   - event: the event.
  ///   - engine: the engine, as a handle that does not keep it alive.
  ///   - next: the rest of the chain. It cannot be kept for later.
  /// - Returns: the result of `next`, or ``Interception/stopped``. An event that was delivered counts as published
  ///   whatever this returns.
  func intercept(
    _ event: any AnyCommandEvent,
    in engine: Engine,
    next: (any AnyCommandEvent) throws -> Interception
  ) throws -> Interception
}
