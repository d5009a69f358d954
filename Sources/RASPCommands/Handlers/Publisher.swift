/// With what a handler tells the reactions how its command goes.
///
///     publish(.progress)
///     publish(data: cache.books)
///     publish(error: CacheIsStale())
///
/// A handler may publish as often as it wants, from any thread, until it returns or throws; what it returns or throws
/// is published behind all of that, as the last event. An error that is published is news for the reactions; it ends
/// nothing, and the engine's error handler does not hear of it.
///
/// Every event goes through the engine's ``EventMiddleware``, on the thread of who publishes, and is then delivered in
/// the lane of its type of command; see ``Engine``.
///
/// What is published once the handler has returned or thrown is refused, and reported as
/// ``EngineError/publishedTooLate(_:)``. What is published once the execution was cancelled is refused without a word,
/// because nobody wants it any more.
public struct Publisher<PublishedCommand: Command>: Sendable {
  @usableFromInline let run: Run<PublishedCommand>

  @inlinable
  init(_ run: Run<PublishedCommand>) {
    self.run = run
  }

  /// Publishes an event.
  ///
  /// - Returns: what became of it.
  @inlinable
  @discardableResult
  public func callAsFunction(_ event: CommandEvent<PublishedCommand>) -> Publication {
    run.publish(event)
  }

  /// Publishes a result: one of several, an early one, a part.
  ///
  /// - Returns: what became of it.
  @inlinable
  @discardableResult
  public func callAsFunction(data output: PublishedCommand.Output) -> Publication {
    run.publish(.data(output))
  }

  /// Publishes an error, which ends nothing.
  ///
  /// - Returns: what became of it.
  @inlinable
  @discardableResult
  public func callAsFunction(error: any Error) -> Publication {
    run.publish(.error(error))
  }

  /// Whether events are still taken: the handler has not returned, and nobody cancelled.
  public var isActive: Bool { run.isOpen }

  /// The engine that carries out the command, as a handle that does not keep it alive.
  public var engine: Engine { Engine(borrowing: run.core) }
}
