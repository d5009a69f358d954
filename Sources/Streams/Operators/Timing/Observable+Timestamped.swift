extension ObservableConvertible {
  /// Sends each value together with the instant at which it arrived.
  ///
  ///     source  a-b|
  ///     result  A-B|      timestamped(on: time), where A is a at second 0, B is b at second 2
  ///
  /// - Parameter scheduler: the source of time. Instants of one scheduler can be compared; so can those of all
  ///   schedulers of `ContinuousClock`, and those of all schedulers of `SuspendingClock`, see ``ClockScheduler``.
  /// - Ordering: as upstream.
  /// - Complexity: O(1) per value, beside the cost of reading the clock.
  @inlinable
  @inline(__always)
  public func timestamped(
    on scheduler: some Scheduler = .continuous
  ) -> Observable<Timestamped<Element>, Failure> {
    observable.timestamped(by: StageTime(scheduler))
  }
}

extension Observable {
  @inlinable
  func timestamped(by time: StageTime) -> Observable<Timestamped<Element>, Failure> {
    handleValues { value, observer in observer.send(Timestamped(value, at: time.now)) }
  }
}

/// A value, and the instant at which it arrived.
public struct Timestamped<Value> {
  /// The value.
  public var value: Value

  /// The instant, as the scheduler counts it: see ``Scheduler/now``.
  public var instant: Duration

  /// Makes a value with an instant.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init(_ value: Value, at instant: Duration) {
    self.value = value
    self.instant = instant
  }
}

extension Timestamped: Sendable where Value: Sendable {}
extension Timestamped: Equatable where Value: Equatable {}
extension Timestamped: Hashable where Value: Hashable {}
