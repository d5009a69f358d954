import Streams

/// The running part of an engine. The ``Engine`` owns it; executions and subscriptions hold the core, which is why none of
/// them keeps the engine alive.
///
/// Safe to share: the tables are behind their lock, which is held to look something up and never over user code.
@usableFromInline
final class EngineCore: Sendable {
  private struct Tables: Sendable {
    var channels: [ObjectIdentifier: any AnyChannel] = [:]
    var pipeline = Pipeline.empty
    var registrations = 0
    /// Set when the engine is gone.
    var isClosed = false
  }

  private let tables = Lock(Tables())
  @usableFromInline let errors = ErrorReporter()
  let owners = OwnerBook()

  init() {}

  // MARK: Looking up

  @inlinable
  func lookUp<Subject: Command>(_: Subject.Type) -> (Channel<Subject>, Pipeline) {
    let key = ObjectIdentifier(Subject.self)
    let (found, pipeline) = find(key)
    if let channel = found as? Channel<Subject> { return (channel, pipeline) }
    return (insert(Channel<Subject>(reportingTo: errors), key), pipeline)
  }

  @usableFromInline
  func find(_ key: ObjectIdentifier) -> ((any AnyChannel)?, Pipeline) {
    tables.withLock { ($0.channels[key], $0.pipeline) }
  }

  @usableFromInline
  func channel<Subject: Command>(of type: Subject.Type) -> Channel<Subject> {
    lookUp(type).0
  }

  /// The first one in stays.
  @usableFromInline
  func insert<Subject: Command>(_ channel: Channel<Subject>, _ key: ObjectIdentifier) -> Channel<Subject> {
    let (present, isClosed) = tables.withLock { tables -> ((any AnyChannel)?, Bool) in
      if tables.isClosed { return (nil, true) }
      if let present = tables.channels[key] { return (present, false) }
      tables.channels[key] = channel
      return (channel, false)
    }
    if isClosed { channel.close() }
    return present as? Channel<Subject> ?? channel
  }

  // MARK: Publishing

  /// Sends an event through the middleware and into the lane.
  @inlinable
  func publish<Subject: Command>(
    _ event: CommandEvent<Subject>,
    to channel: Channel<Subject>,
    through pipeline: Pipeline,
    of run: Run<Subject>?,
    isLast: Bool = false
  ) -> Publication {
    if pipeline.hasEvents { return intercept(event, to: channel, through: pipeline, of: run, isLast) }
    return channel.submit(event, of: run, isLast: isLast) ? .published : .refused
  }

  @usableFromInline
  func intercept<Subject: Command>(
    _ event: CommandEvent<Subject>,
    to channel: Channel<Subject>,
    through pipeline: Pipeline,
    of run: Run<Subject>?,
    _ isLast: Bool
  ) -> Publication {
    let stages = pipeline.events
    let engine = Engine(borrowing: self)
    var publication = Publication.stopped

    func pass(_ event: any AnyCommandEvent, to index: Int) throws -> Interception {
      guard index < stages.count else {
        guard let event = event as? CommandEvent<Subject> else {
          throw EngineError.wrongEvent(Subject.self, passedOn: event.commandType)
        }
        publication = channel.submit(event, of: run, isLast: isLast) ? .published : .refused
        return .passed
      }
      return try stages[index].intercept(event, in: engine) { try pass($0, to: index + 1) }
    }

    do {
      _ = try pass(event, to: 0)
      return publication
    } catch {
      // Past all middleware: one that fails on errors would fail for ever.
      _ = channel.submit(.error(error), of: run, isLast: isLast)
      errors.report(error)
      return .failed(error)
    }
  }

  // MARK: Middleware

  /// - Returns: a token that takes the middleware out again when cancelled.
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

  /// Removes everything; with `forGood`, also what is registered from now on.
  func invalidate(forGood: Bool = false) {
    let previous = tables.withLock { tables in
      let previous = tables
      tables = Tables()
      tables.registrations = previous.registrations
      tables.isClosed = previous.isClosed || forGood
      return previous
    }
    for channel in previous.channels.values { channel.close() }
    errors.handler = nil
  }

  #if DEBUG
    /// How often a listener was looked at, by all channels that are in the tables.
    var visits: Int { tables.withLock { Array($0.channels.values) }.reduce(0) { $0 + $1.visits } }
  #endif
}
