import ServiceLifecycle
public import Streams

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Makes a stream of server-sent events, as the body of an answer of any framework.
  ///
  ///     let events = quotes.newest(of: symbols, \.price).serverSentEvents { changes in
  ///       changes.map { ServerSentEvent("\($0.value ?? .nan)", event: $0.key) }
  ///     }
  ///
  /// - Parameters:
  ///   - period: the time of silence after which the client gets a comment. It keeps proxies from closing the
  ///     connection, and lets the server see that a client has gone.
  ///   - scheduler: the source of time of this period.
  ///   - makeEvents: makes the events of a value. They are written as one piece.
  public func serverSentEvents(
    heartbeat period: Duration = .seconds(15),
    on scheduler: some Scheduler = .continuous,
    _ makeEvents: @escaping @Sendable (Element) -> [ServerSentEvent]
  ) -> ServerSentEvents<Self> {
    ServerSentEvents(base: self, period: period, scheduler: scheduler, makeEvents: makeEvents)
  }
}

/// Server-sent events as pieces of bytes: see `serverSentEvents(heartbeat:on:_:)` of an asynchronous sequence.
///
/// A value is read when the client is ready for it, so over `values` of a selection, `newest(of:)` or
/// `sample(every:)` a slow client gets what is newest, and costs no memory for what it has missed.
///
/// It ends with its sequence, when the task that reads it is cancelled, and as soon as the service in whose task it is
/// read is asked to shut down gracefully. So a server that waits for its open answers does not wait for this one.
///
/// The media type of the answer is `text/event-stream`.
///
/// - Concurrency: each iterator reads in a task of its own, which is cancelled when the iterator is released.
/// - Errors: fails as its sequence does.
/// - Complexity: O(bytes) for each value, beside the cost of the sequence.
public struct ServerSentEvents<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element: Sendable {
  /// A piece to be written at once. It is never empty.
  public typealias Element = [UInt8]

  /// The failure of the sequence.
  public typealias Failure = Base.Failure

  let base: Base
  let period: Duration
  let scheduler: any Scheduler
  let makeEvents: @Sendable (Base.Element) -> [ServerSentEvent]

  /// Makes an iterator. Its sequence is not read before `next()` is called.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

  /// Reads the pieces.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let events: ServerSentEvents
    private var reading: Reading?

    init(events: ServerSentEvents) {
      self.events = events
    }

    /// Waits for the next piece; `nil` is the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Base.Failure) -> [UInt8]? {
      let reading = self.reading ?? Reading(events.base)
      self.reading = reading
      // One instant for all values that make no event: bytes are due then.
      let due = events.scheduler.now + events.period
      while true {
        let relay = reading.relay
        let timer = events.scheduler.schedule(at: due) { relay.beat() }
        defer { timer.cancel() }
        switch await relay.next() {
        case .heartbeat: return ServerSentEvent.heartbeat
        case .end(nil): return nil
        case .end(let failure?): throw failure
        case .value(let value):
          let bytes = events.makeEvents(value).flatMap(\.bytes)
          if !bytes.isEmpty { return bytes }
        }
      }
    }
  }

  /// The task that reads the sequence for one iterator.
  private final class Reading: Sendable {
    let relay = EventRelay<Base.Element, Base.Failure>()
    private let task: Task<Void, Never>

    init(_ base: Base) {
      let relay = relay
      // The task has the task-local values of the request, and so the shutdown of its service.
      task = Task {
        await withGracefulShutdownHandler {
          do throws(Base.Failure) {
            var iterator = base.makeAsyncIterator()
            while await relay.isWanted() {
              guard let value = try await iterator.next(isolation: nil) else { break }
              relay.put(value)
            }
            relay.finish(nil)
          } catch {
            relay.finish(error)
          }
        } onGracefulShutdown: {
          relay.finish(nil)
        }
      }
    }

    deinit {
      relay.finish(nil)
      task.cancel()
    }
  }
}
