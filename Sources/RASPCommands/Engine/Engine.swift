/// Where commands meet their handlers, and events their reactions.
///
///     let engine = Engine()
///     try engine.use(BookListHandler())
///     let token = engine.react(to: BookList.self, wait: spinner.start, consume: show, rescue: report)
///     engine.execute(BookList())                               // fire and forget: reactions hear of it
///     let books = try await engine.execute(BookList()).value   // or wait for the outcome
///
/// An engine is an instance: make as many as you like and hand them to whom they concern. They share nothing.
/// ``shared`` is there for programs that want but one.
///
/// ### Ordering
///
/// Every type of command has a lane of its own. Events in a lane are delivered one at a time, each to all reactions in the
/// order of their registration, and all of them see the same sequence. An event published, or a reaction registered,
/// during a delivery in its lane, from a reaction or from another thread, waits its turn: whoever is delivering does it
/// next. Nothing recurses, so a hundred thousand reactions that each cause the next event use constant stack. Lanes know
/// nothing of each other: a slow reaction holds up its own type of command only.
///
/// ### Concurrency
///
/// Everything may be called from any thread, and from inside handlers, reactions, middleware, the error handler and
/// `deinit`s. All of these run with no internal lock held.
///
/// ### Lifetime
///
/// The engine holds its handlers, middleware and reactions. Executions and subscriptions do not hold the engine. When the
/// last reference to it goes away, everything is removed as by ``invalidate()``.
///
/// - Complexity: executing and publishing cost one look-up, plus the middleware, the handler and the reactions to that
///   type of command. How many other commands have handlers and listeners makes no difference.
public final class Engine: Sendable {
  @usableFromInline let core: EngineCore
  private let isOwner: Bool

  /// The one engine of a program that wants no other. Nothing here uses it by itself.
  public static let shared = Engine()

  /// An engine without handlers, reactions and middleware.
  public init() {
    core = EngineCore()
    isOwner = true
  }

  /// Another handle, which does not keep the engine alive and whose end is not the engine's.
  init(borrowing core: EngineCore) {
    self.core = core
    isOwner = false
  }

  /// The same for all handles of one engine.
  package var id: ObjectIdentifier { ObjectIdentifier(core) }

  deinit {
    if isOwner { core.invalidate(forGood: true) }
  }

  /// Hears of everything that nobody else might: what handlers and middleware throw, and what the engine has to report
  /// about its own use, as ``EngineError``. None unless you set one.
  ///
  ///     engine.errorHandler = { error in
  ///       if let error = error as? EngineError, error.isWarning { log.debug("\(error)") } else { log.error("\(error)") }
  ///     }
  ///
  /// It is called with one error at a time, from any thread. Errors that it causes itself come afterwards.
  public var errorHandler: (@Sendable (any Error) -> Void)? {
    get { core.errors.handler }
    set { core.errors.handler = newValue }
  }

  /// Removes everything: handlers, reactions, subscribers (which are finished), middleware and the error handler. The
  /// engine is then as if new.
  ///
  /// Once this has returned no reaction is called any more, but for one that is running; events that wait in line are
  /// dropped. Executions that are under way go on, and who awaits them gets the outcome, but what they publish is
  /// refused.
  public func invalidate() {
    core.invalidate()
  }
}
