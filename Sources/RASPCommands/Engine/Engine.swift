/// Carries commands to their handlers, and events to their reactions.
///
///     let engine = Engine()
///     try engine.use(BookListHandler())
///     let token = engine.react(to: BookList.self, wait: spinner.start, consume: show, rescue: report)
///     engine.execute(BookList())                               // fire and forget: reactions get the events
///     let books = try await engine.execute(BookList()).value   // or wait for the outcome
///
/// An engine is an instance. Make as many as you like and hand them to their users; they share nothing. ``shared`` is
/// there for programs that need only one.
///
/// ### Ordering
///
/// Every type of command has a lane of its own. The lane delivers events one at a time, each to all reactions in the
/// order of their registration, so all reactions see the same sequence. An event that is published, or a reaction that
/// is registered, during a delivery in its lane waits until that is over; the thread that delivers then takes it.
/// Nothing recurses, so a hundred thousand reactions that each cause the next event use constant stack. Lanes do not
/// know each other: a slow reaction delays its own type of command only.
///
/// ### Concurrency
///
/// Everything may be called from any thread, and from inside handlers, reactions, middleware, the error handler and
/// `deinit`s. The engine holds no lock while it calls any of these.
///
/// ### Lifetime
///
/// The engine holds its handlers, middleware and reactions. Executions and subscriptions do not hold the engine. When
/// the last reference to it goes away, everything is removed as by ``invalidate()``.
///
/// - Complexity: executing and publishing cost one look-up, and the work of the middleware, the handler and the
///   reactions to that type of command. The number of other commands with handlers and reactions makes no difference.
public final class Engine: Sendable {
  @usableFromInline let core: EngineCore
  private let isOwner: Bool

  /// The engine of a program that needs only one. The library itself does not use it.
  public static let shared = Engine()

  /// Makes an engine without handlers, reactions and middleware.
  public init() {
    core = EngineCore()
    isOwner = true
  }

  /// Makes another handle of an engine, which does not keep it alive and does not end it.
  init(borrowing core: EngineCore) {
    self.core = core
    isOwner = false
  }

  /// An identity that all handles of one engine share.
  package var id: ObjectIdentifier { ObjectIdentifier(core) }

  deinit {
    if isOwner { core.invalidate(forGood: true) }
  }

  /// Receives the errors that no other part of the program may see: errors that handlers and middleware throw, and the
  /// engine's reports about its own use, as ``EngineError``. It is `nil` until you set it.
  ///
  ///     engine.errorHandler = { error in
  ///       if let error = error as? EngineError, error.isWarning { log.debug("\(error)") } else { log.error("\(error)") }
  ///     }
  ///
  /// - Ordering: one error at a time. Errors that the error handler causes come afterwards.
  /// - Concurrency: it is called on any thread.
  public var errorHandler: (@Sendable (any Error) -> Void)? {
    get { core.errors.handler }
    set { core.errors.handler = newValue }
  }

  /// Removes everything: handlers, reactions, subscribers (which are finished), middleware and the error handler. The
  /// engine is then like a new one.
  ///
  /// Executions that are running go on. A task that awaits one gets the outcome, but the events that it publishes are
  /// refused.
  ///
  /// - Ordering: events that have not been delivered are dropped.
  /// - Concurrency: once this has returned, no reaction is called; one that is running on another thread may still be
  ///   running.
  /// - Complexity: O(types of commands and their reactions).
  public func invalidate() {
    core.invalidate()
  }
}
