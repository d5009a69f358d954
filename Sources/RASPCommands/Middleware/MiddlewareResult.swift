public import Streams

/// What became of a command, or of an event, in the rest of the chain: an outcome, or a wait for one.
///
/// ``Next`` returns one, and a middleware hands one back: that of `next`, another one made of it, or one of its own.
///
///     return next(command)                                   // pass on
///     return .stopped                                        // stop
///     return .failed(Offline())                              // fail; throwing does the same
///     return next(command).then { outcome in … }             // look at the outcome, change it, or pass on again
///     return .waiting { … try await …; return await next(command).outcome }
///
/// A result that has its outcome does not wait, so a command whose handler never waits stays on the thread of its
/// sender.
public struct MiddlewareResult<Input: Sendable>: Sendable {
  enum Way: Sendable {
    case over(Outcome<Void>)
    case waiting(@Sendable () async -> Outcome<Void>)
  }

  let way: Way

  /// A result with its outcome.
  public init(_ outcome: Outcome<Void>) {
    way = .over(outcome)
  }

  init(waiting: @escaping @Sendable () async -> Outcome<Void>) {
    way = .waiting(waiting)
  }

  /// Nothing was passed on: no handler is called, or no reaction gets the event.
  public static var stopped: MiddlewareResult { MiddlewareResult(.stopped) }

  /// The command fails, or an error is published in place of the event.
  public static func failed(_ error: any Error) -> MiddlewareResult { MiddlewareResult(.failed(error)) }

  /// Goes on with the outcome: now, or after it has waited.
  ///
  ///     next(command).then { outcome in
  ///       if case .failed = outcome { return next(command) }   // once more
  ///       return MiddlewareResult(outcome)
  ///     }
  ///
  /// - Errors: an error that `proceed` throws is the new outcome.
  /// - Parameter proceed: gets the outcome and returns the result that counts. It runs once, on any thread.
  public func then(_ proceed: @escaping @Sendable (Outcome<Void>) throws -> MiddlewareResult) -> MiddlewareResult {
    switch way {
    case .over(let outcome): return Self.proceed(after: outcome, proceed)
    case .waiting(let waiting):
      return MiddlewareResult(waiting: { await Self.proceed(after: waiting(), proceed).result() })
    }
  }

  private static func proceed(after outcome: Outcome<Void>, _ proceed: (Outcome<Void>) throws -> MiddlewareResult)
    -> MiddlewareResult
  {
    do { return try proceed(outcome) } catch { return .failed(error) }
  }

  /// The outcome, if there is one.
  @usableFromInline var outcomeNow: Outcome<Void>? {
    if case .over(let outcome) = way { outcome } else { nil }
  }

  /// Walks the rest of the way in a task.
  ///
  /// - Parameters:
  ///   - cause: what brings about what the task does.
  ///   - end: gets the outcome.
  @usableFromInline
  func startTask(by cause: CarriedCause, _ end: @escaping @Sendable (Outcome<Void>) -> Void) -> Task<Void, Never> {
    cause.startTask { AmbientExecutor.startTask { end(await result()) } }
  }

  func result() async -> Outcome<Void> {
    switch way {
    case .over(let outcome): outcome
    case .waiting(let waiting): await waiting()
    }
  }
}

extension MiddlewareResult where Input == any Command {
  /// A result that waits. The command is carried out in a task from here on.
  ///
  ///     return .waiting {
  ///       guard await session.isValid else { throw NotLoggedIn() }
  ///       return await next(command).outcome
  ///     }
  ///
  /// - Concurrency: when the execution is cancelled, so is the task in which `wait` runs, and its result is dropped.
  /// - Errors: an error that `wait` throws fails the command, unless outer middleware goes on after it.
  /// - Parameter wait: returns the outcome of the way.
  public static func waiting(_ wait: @escaping @Sendable () async throws -> Outcome<Void>) -> MiddlewareResult {
    MiddlewareResult(waiting: {
      do { return try await wait() } catch { return .failed(error) }
    })
  }

  /// The outcome. Reading it walks the rest of the way, if that waits: read it once.
  public var outcome: Outcome<Void> {
    get async { await result() }
  }
}

extension MiddlewareResult where Input == any AnyCommandEvent {
  /// The outcome. The result of an event never waits.
  public var outcome: Outcome<Void> {
    if case .over(let outcome) = way { return outcome }
    assertionFailure("The result of an event waits.")
    return .stopped
  }
}
