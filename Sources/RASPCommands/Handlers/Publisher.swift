/// Publishes the events of one command for its handler.
///
///     publish(.progress)
///     publish(data: cache.books)
///     publish(error: CacheIsStale())
///
/// A handler may publish as often as it wants until it returns or throws. An error that is published is an event for
/// the reactions. It ends nothing, and the engine's error handler does not get it.
///
/// Every event goes through the engine's ``EventMiddleware``, on the thread that publishes it. Then the lane of its
/// type of command delivers it; see ``Engine``.
///
/// An event that is published after the handler has returned or thrown is refused, and reported as
/// ``EngineError/publishedTooLate(_:)``. An event that is published after the execution was cancelled is refused
/// without a report.
///
/// - Ordering: the result or the error of the handler is published after everything that it published before it
///   returned or threw.
/// - Concurrency: may be used on any thread.
public struct Publisher<CommandType: Command>: Sendable {
  @usableFromInline let run: Run<CommandType>

  @inlinable
  init(_ run: Run<CommandType>) {
    self.run = run
  }

  /// Publishes an event.
  ///
  /// - Returns: the result of publishing the event.
  @inlinable
  @discardableResult
  public func callAsFunction(_ event: CommandEvent<CommandType>) -> Publication {
    run.publish(event)
  }

  /// Publishes a result: one of several, an early one, or a part.
  ///
  /// - Returns: the result of publishing the event.
  @inlinable
  @discardableResult
  public func callAsFunction(data output: CommandType.Output) -> Publication {
    run.publish(.data(output))
  }

  /// Publishes an error, which does not end the command.
  ///
  /// - Returns: the result of publishing the event.
  @inlinable
  @discardableResult
  public func callAsFunction(error: any Error) -> Publication {
    run.publish(.error(error))
  }

  /// Is `true` while events are taken: until the handler returns or throws, or the execution is cancelled.
  public var isActive: Bool { run.isOpen }

  /// The engine that carries out the command, as a handle that does not keep it alive.
  public var engine: Engine { Engine(borrowing: run.core) }
}
