public import Streams

/// Carries commands to their handlers, and events to their reactions.
///
///     let engine = Engine()
///     try engine.use(BookListHandler())
///     let token = engine.react(to: BookList.self, wait: spinner.start, consume: show, rescue: report)
///     engine.execute(BookList())                               // fire and forget: reactions get the events
///     let books = try await engine.value(of: BookList())       // or call it and wait for the result
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
/// The engine holds its handlers, middleware and reactions. Executions, subscriptions and handles do not hold the
/// engine. When the last reference to it goes away, everything is removed as by ``EngineProtocol/invalidate()``.
///
/// - Complexity: executing and publishing cost one look-up, and the work of the middleware, the handler and the
///   reactions to that type of command. The number of other commands with handlers and reactions makes no difference.
public final class Engine: EngineProtocol {
  /// A handle that does not keep the engine alive.
  public let handle: EngineHandle

  /// The engine of a program that needs only one. The library itself does not use it.
  public static let shared = Engine()

  /// Makes an engine without handlers, reactions and middleware.
  ///
  /// - Parameter scheduler: the time by which ``Command/timeLimit`` is measured; in tests a `VirtualScheduler`.
  public init(scheduler: any Scheduler = .continuous) {
    handle = EngineHandle(Registry(scheduler: scheduler))
  }

  deinit {
    handle.registry.invalidate(forGood: true)
  }
}
