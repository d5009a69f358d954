/// Stands between those who publish events and the reactions, and sees every event of an engine, facts included.
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
/// It wraps the rest of the chain like a ``CommandMiddleware``: it can observe, change (within the type of the command),
/// stop (by not calling `next`), repeat (by calling `next` again) and fail (by throwing). The first in the list is the
/// outermost. It runs on the thread of who publishes; any number may be under way at once.
///
/// Behind `next`, the reactions have heard of the event, unless somebody else was delivering events of this type of
/// command: then they hear of it after that.
///
/// An error that leaves the outermost middleware is published as one error event in place of the event, past all
/// middleware, so that it cannot loop, and goes to ``Engine/errorHandler``.
public protocol EventMiddleware: Sendable {
  /// Deals with an event.
  ///
  /// - Parameters:
  ///   - event: what was published.
  ///   - engine: the engine, as a handle that does not keep it alive.
  ///   - next: the rest of the chain; it cannot be kept for later.
  /// - Returns: what `next` returned, or ``Interception/stopped``. An event that was delivered counts as published
  ///   whatever is returned here.
  /// - Throws: to have an error published.
  func intercept(
    _ event: any AnyCommandEvent,
    in engine: Engine,
    next: (any AnyCommandEvent) throws -> Interception
  ) throws -> Interception
}
