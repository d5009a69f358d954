public import RASPSupport

/// What an ``Engine``, a handle of it, and a type of your own that has an engine can do.
///
/// Its one requirement is a handle, which only an engine makes. A type that returns one has all members of an engine:
///
///     struct Library: EngineProtocol {
///       let engine: Engine
///       var handle: EngineHandle { engine.handle }
///     }
public protocol EngineProtocol: ActivitySource {
  /// A handle that does not keep the engine alive.
  var handle: EngineHandle { get }
}

/// A borrowed engine: it can do what the ``Engine`` can do, does not keep it alive, and does not end it.
///
/// Handlers get one from ``Publisher/engine``, and middleware from ``Next/engine``. When the engine is gone, a handle
/// behaves like that of an engine without handlers and reactions, which takes none.
public struct EngineHandle: EngineProtocol {
  @usableFromInline let registry: Registry

  @inlinable
  init(_ registry: Registry) {
    self.registry = registry
  }

  /// This handle.
  @inlinable public var handle: EngineHandle { self }

  /// An identity that all handles of one engine share.
  package var id: ObjectIdentifier { ObjectIdentifier(registry) }
}

extension EngineProtocol {
  /// Receives the errors that no other part of the program may see: errors that handlers and middleware throw, and the
  /// engine's reports about its own use, as ``EngineError``. It is `nil` until you set it. A debug build then writes
  /// what no part of the program has heard of to standard error, once for each type of command: see `UnheardReports`.
  ///
  ///     engine.errorHandler = { error in
  ///       let isWarning = (error as? EngineError)?.isWarning == true
  ///       log.write("\(error)", as: isWarning ? .debug : .error)
  ///     }
  ///
  /// - Ordering: one error at a time. Errors that the error handler causes come afterwards.
  /// - Concurrency: it is called on any thread.
  public var errorHandler: (@Sendable (any Error) -> Void)? {
    get { handle.registry.errors.handler }
    nonmutating set { handle.registry.errors.handler = newValue }
  }

  /// Removes everything: handlers, reactions, subscribers (which are finished), middleware and the error handler. The
  /// engine is then like a new one.
  ///
  /// Executions that are running go on. A task that awaits one gets the outcome, but the events that it publishes reach
  /// no reaction.
  ///
  /// - Ordering: events that have not been delivered are dropped.
  /// - Concurrency: once this has returned, no reaction is called; one that is running on another thread may still be
  ///   running.
  /// - Complexity: O(types of commands and their reactions).
  public func invalidate() {
    handle.registry.invalidate()
  }

  /// Disposes all reactions that belong to this very object, to commands and facts alike, and no others.
  ///
  /// - Ordering: in the order of their registration.
  /// - Concurrency: may be called from any thread, and from the object's `deinit`.
  public func disposeAll(for owner: AnyObject) {
    handle.registry.owners.disposeAll(of: ObjectIdentifier(owner))
  }
}
