public import Streams

/// An observer that writes down everything it sees.
///
///     let recorder = Recorder(ticks.prefix(2), on: time)
///     time.run()
///     recorder.values            // [0, 1]
///     recorder.end               // .finished
///     recorder.records[0].instant
///
/// - Concurrency: every member may be called from any thread.
public final class Recorder<Element: Sendable, Failure: Error>: Sendable {
  /// A value or an end.
  public enum Event: Sendable {
    /// A value.
    case value(Element)
    /// The end.
    case end(StreamEnd<Failure>)
  }

  /// An event and its instant.
  public struct Record: Sendable {
    /// The virtual instant, zero without a scheduler.
    public let instant: Duration
    /// The event that was seen.
    public let event: Event

    /// Makes a record that was seen, or that should be seen.
    ///
    /// - Parameters:
    ///   - instant: the virtual instant.
    ///   - event: the event.
    public init(at instant: Duration = .zero, _ event: Event) {
      self.instant = instant
      self.event = event
    }
  }

  private let log = Lock<[Record]>([])
  private let subscription = Lock<Subscription?>(nil)
  private let onEvent: @Sendable (Event) -> Void

  /// Subscribes to `stream` at once, until the recorder is released or ``cancel()`` is called.
  ///
  /// - Parameters:
  ///   - stream: the stream to record.
  ///   - time: the source of instants.
  ///   - onEvent: is called with each event, after it was written down, for example to send more, cancel, or hold a
  ///     gate.
  public init(
    _ stream: Observable<Element, Failure>,
    on time: VirtualScheduler? = nil,
    onEvent: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.onEvent = onEvent
    // Weak, or the recorder would live as long as what it records.
    let subscription = stream.subscribe { [weak self] value in
      self?.note(.value(value), at: time?.now)
    } onEnd: { [weak self] end in
      self?.note(.end(end), at: time?.now)
    }
    self.subscription.withLock { $0 = subscription }
  }

  /// Subscribes to a subject, a selection or whatever else has a stream, as to a stream.
  @_disfavoredOverload
  public convenience init(
    _ stream: some ObservableConvertible<Element, Failure>,
    on time: VirtualScheduler? = nil,
    onEvent: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.init(stream.observable, on: time, onEvent: onEvent)
  }

  /// Everything that was seen, in order.
  public var records: [Record] { log.withLock { $0 } }

  /// The values that were seen.
  public var values: [Element] {
    records.compactMap { record in
      if case .value(let value) = record.event { value } else { nil }
    }
  }

  /// The ends that were seen: more than one means that the contract was broken.
  public var ends: [StreamEnd<Failure>] {
    records.compactMap { record in
      if case .end(let end) = record.event { end } else { nil }
    }
  }

  /// The end that was seen.
  public var end: StreamEnd<Failure>? { ends.first }

  /// Cancels the subscription.
  public func cancel() {
    subscription.withLock { $0 }?.cancel()
  }

  private func note(_ event: Event, at instant: Duration?) {
    log.withLock { $0.append(Record(at: instant ?? .zero, event)) }
    onEvent(event)
  }
}

extension Recorder.Event: Equatable where Element: Equatable, Failure: Equatable {}
extension Recorder.Record: Equatable where Element: Equatable, Failure: Equatable {}
