public import Streams

/// A source that can be redirected while it runs.
///
///     let position = EventSource(following: gps)
///     let geo = Aggregator(initial: GeoState(), sources: position.events)
///     position.jump(to: replay)
///
/// A jump lets go of the stream that is being followed and follows the next one. It counts whether anybody listens yet or
/// not: whoever subscribes follows the newest.
///
/// - Completion: a stream that finishes leaves the source open for the next jump. When the `EventSource` is released,
///   nothing can redirect it any more, and ``events`` finishes with the stream it follows. A failure of that stream is a
///   failure of the source; recover before you jump if it should survive one.
/// - Concurrency: everything may be called from any thread.
public final class EventSource<Event: Sendable, Failure: Error>: Sendable {
  private let targets: Subject<Observable<Event, Failure>, Failure>

  /// A source that follows nothing yet.
  public init() {
    targets = Subject(replaying: 1)
  }

  /// A source that follows `stream` until the first jump.
  public init(following stream: Observable<Event, Failure>) {
    targets = Subject(initial: stream)
  }

  /// Follows `stream` from now on, in place of what was followed before. The old stream is let go of first.
  public func jump(to stream: Observable<Event, Failure>) {
    targets.send(stream)
  }

  /// What the stream that is being followed sends. Each subscription follows it by itself.
  public var events: Observable<Event, Failure> {
    targets.observable.switchToLatest()
  }
}
