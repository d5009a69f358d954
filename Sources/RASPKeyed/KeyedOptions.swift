public import Streams

/// What a ``KeyedAggregator`` does with events that have to wait, and with rows that are not used any more.
///
///     KeyedAggregator(
///       by: \Tick.symbol,
///       initial: { _ in Quote() },
///       options: KeyedOptions(evicting: .idle(for: .seconds(600)))
///     )
public struct KeyedOptions: Sendable {
  /// What becomes of events that arrive while others are being folded, as for an ``/Aggregate/Aggregator``.
  public var buffering: BufferingPolicy

  /// The rows that are given up.
  public var evicting: RowEviction

  /// The source of time for the eviction of idle rows.
  public var scheduler: any Scheduler

  /// Makes options. What is not given is as usual: no bound, no eviction, and the time of the system.
  ///
  /// - Parameters:
  ///   - buffering: what becomes of events that arrive while others are being folded.
  ///   - evicting: the rows that are given up.
  ///   - scheduler: the source of time for the eviction of idle rows.
  public init(
    buffering: BufferingPolicy = .unbounded,
    evicting: RowEviction = .never,
    on scheduler: any Scheduler = .continuous
  ) {
    self.buffering = buffering
    self.evicting = evicting
    self.scheduler = scheduler
  }
}
