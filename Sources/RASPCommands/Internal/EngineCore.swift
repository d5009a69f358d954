import Streams

/// The running part of an engine. The ``Engine`` owns it. Executions and subscriptions hold the core, which is why none
/// of them keeps the engine alive.
///
/// Safe to share: the tables are behind their lock, which is held for a look-up and never while user code runs.
@usableFromInline
final class EngineCore: Sendable {
  private struct Tables: Sendable {
    var lanes: [ObjectIdentifier: any AnyLane] = [:]
    var pipeline = Pipeline.empty
    var registrations = 0
    /// Set when the engine is gone.
    var isClosed = false
  }

  private let tables = Lock(Tables())
  @usableFromInline let errors = ErrorReporter()
  let owners = OwnerRegistry()

  init() {}

  // MARK: Looking up

  @inlinable
  func lookUp<CommandType: Command>(_: CommandType.Type) -> (Lane<CommandType>, Pipeline) {
    let key = ObjectIdentifier(CommandType.self)
    let (found, pipeline) = find(key)
    if let lane = found as? Lane<CommandType> { return (lane, pipeline) }
    return (insert(Lane<CommandType>(reportingTo: errors), key), pipeline)
  }

  @usableFromInline
  func find(_ key: ObjectIdentifier) -> ((any AnyLane)?, Pipeline) {
    tables.withLock { ($0.lanes[key], $0.pipeline) }
  }

  @usableFromInline
  func lane<CommandType: Command>(of type: CommandType.Type) -> Lane<CommandType> {
    lookUp(type).0
  }

  /// Inserts a lane, unless there is one already.
  @usableFromInline
  func insert<CommandType: Command>(_ lane: Lane<CommandType>, _ key: ObjectIdentifier) -> Lane<CommandType> {
    let (present, isClosed) = tables.withLock { tables -> ((any AnyLane)?, Bool) in
      if tables.isClosed { return (nil, true) }
      if let present = tables.lanes[key] { return (present, false) }
      tables.lanes[key] = lane
      return (lane, false)
    }
    if isClosed { lane.close() }
    return present as? Lane<CommandType> ?? lane
  }

  // MARK: Publishing

  /// Sends an event through the middleware and into the lane.
  @inlinable
  func publish<CommandType: Command>(
    _ event: CommandEvent<CommandType>,
    to lane: Lane<CommandType>,
    through pipeline: Pipeline,
    of run: Run<CommandType>?,
    isLast: Bool = false
  ) -> Publication {
    if pipeline.hasEvents { return intercept(event, to: lane, through: pipeline, of: run, isLast) }
    return lane.submit(event, of: run, isLast: isLast) ? .published : .refused
  }

  @usableFromInline
  func intercept<CommandType: Command>(
    _ event: CommandEvent<CommandType>,
    to lane: Lane<CommandType>,
    through pipeline: Pipeline,
    of run: Run<CommandType>?,
    _ isLast: Bool
  ) -> Publication {
    let stages = pipeline.events
    let engine = Engine(borrowing: self)
    var publication = Publication.stopped

    func pass(_ event: any AnyCommandEvent, to index: Int) throws -> Interception {
      guard index < stages.count else {
        guard let event = event as? CommandEvent<CommandType> else {
          throw EngineError.wrongEvent(CommandType.self, passedOn: event.commandType)
        }
        publication = lane.submit(event, of: run, isLast: isLast) ? .published : .refused
        return .passed
      }
      return try stages[index].intercept(event, in: engine) { try pass($0, to: index + 1) }
    }

    do {
      _ = try pass(event, to: 0)
      return publication
    } catch {
      // The error goes past all middleware: a middleware that fails on errors would fail for ever.
      _ = lane.submit(.error(error), of: run, isLast: isLast)
      errors.report(error)
      return .failed(error)
    }
  }

  // MARK: Middleware

  /// - Returns: a token that removes the middleware when it is cancelled.
  func pipe(commands: [any CommandMiddleware] = [], events: [any EventMiddleware] = []) -> Subscription {
    let (registration, previous) = tables.withLock { tables in
      let previous = tables.pipeline
      tables.registrations += 1
      if !tables.isClosed {
        tables.pipeline = previous.appending(commands: commands, events: events, registration: tables.registrations)
      }
      return (tables.registrations, previous)
    }
    _ = consume previous
    let token = Subscription { [weak self] in self?.unpipe(registration) }
    token.detach()
    return token
  }

  private func unpipe(_ registration: Int) {
    let previous = tables.withLock { tables in
      let previous = tables.pipeline
      tables.pipeline = previous.removing(registration: registration)
      return previous
    }
    _ = consume previous
  }

  // MARK: End

  /// Removes everything; with `forGood`, also everything that is registered from now on.
  func invalidate(forGood: Bool = false) {
    let previous = tables.withLock { tables in
      let previous = tables
      tables = Tables()
      tables.registrations = previous.registrations
      tables.isClosed = previous.isClosed || forGood
      return previous
    }
    for lane in previous.lanes.values { lane.close() }
    errors.handler = nil
  }
}
