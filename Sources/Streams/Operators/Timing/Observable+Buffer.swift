extension ObservableConvertible {
  /// Collects values, and sends them as arrays of `count` values.
  ///
  ///     source  a-bc-d-e|
  ///     result  --A--B--[C|]   buffer(count: 2), where A is a and b, B is c and d, C is e
  ///
  /// - Parameter count: the number of values in an array. Less than one counts as one.
  /// - Completion: the values that are left are sent, if there are any, then the end.
  /// - Errors: a failure passes at once and drops the values that are left.
  /// - Backpressure: a value that waits counts as handled.
  /// - Complexity: O(1) amortised per value; memory for `count` values.
  @inlinable
  public func buffer(count: Int) -> Observable<[Element], Failure> {
    observable.through(on: nil) { _ in BufferMachine(count: count, period: nil, now: .zero) }
  }

  /// Collects values, and sends those of each period as an array, when the period ends.
  ///
  ///     source  ab-----c-|
  ///     result  ---A-----[B|]   buffer(every: .seconds(3)), where A is a and b, B is c
  ///
  /// A period without values sends nothing and sets no timer.
  ///
  /// - Parameters:
  ///   - period: the length of a period; the first one begins with the subscription. A period that is not positive is
  ///     taken as one millisecond.
  ///   - scheduler: the source of time.
  /// - Boundary: a value that arrives at the instant at which a period ends belongs to the next one.
  /// - Completion: the values that are left are sent, if there are any, then the end.
  /// - Errors: a failure passes at once and drops the values that are left.
  /// - Backpressure: a value that waits counts as handled.
  /// - Complexity: O(1) amortised per value; memory for the values of a period, and at most one pending timer.
  @inlinable
  @inline(__always)
  public func buffer(
    every period: Duration,
    on scheduler: some Scheduler = .continuous
  ) -> Observable<[Element], Failure> {
    observable.through(on: StageTime(scheduler)) { clock in BufferMachine(count: nil, period: period, now: clock.now())
    }
  }

  /// Collects values, and sends them as an array when there are `count` of them, and when a period ends.
  ///
  ///     source  abcd-----e|
  ///     result  --A---B---[C|]   buffer(count: 3, every: .seconds(3)), where A is a, b and c, B is d, C is e
  ///
  /// An array that is sent because it is full does not move the end of the period.
  ///
  /// - Parameters:
  ///   - count: the greatest number of values in an array. Less than one counts as one.
  ///   - period: as for ``buffer(every:on:)``.
  ///   - scheduler: the source of time.
  /// - Boundary: as for ``buffer(every:on:)``.
  /// - Completion: as for ``buffer(every:on:)``.
  /// - Errors: as for ``buffer(every:on:)``.
  /// - Backpressure: a value that waits counts as handled.
  /// - Complexity: O(1) amortised per value; memory for `count` values, and at most one pending timer.
  @inlinable
  @inline(__always)
  public func buffer(
    count: Int,
    every period: Duration,
    on scheduler: some Scheduler = .continuous
  ) -> Observable<[Element], Failure> {
    observable.through(on: StageTime(scheduler)) { clock in
      BufferMachine(count: count, period: period, now: clock.now())
    }
  }
}

/// The values that were not sent yet.
@usableFromInline
struct BufferMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Element
  @usableFromInline typealias Output = [Element]

  @inlinable static var isTimed: Bool { true }

  @usableFromInline let count: Int?
  @usableFromInline let period: Duration?
  @usableFromInline let origin: Duration
  @usableFromInline var waiting: [Element] = []
  /// The number of values that were sent at once the last time: so much room is made at the next value.
  @usableFromInline var room = 0
  /// What all that waits arrived with; unknown if that differs.
  @usableFromInline var cause = CarriedCause.unknown
  /// The end of the present period, while a value waits for it.
  @usableFromInline var wakeAt: Duration?

  @inlinable
  init(count: Int?, period: Duration?, now: Duration) {
    self.count = count.map { max(1, $0) }
    self.period = period.map { $0 > .zero ? $0 : .milliseconds(1) }
    origin = now
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action {
    switch event {
    case .value(let value, _):
      keep(value)
      if let count, waiting.count >= count { return Action(send: takeWaiting()) }
      if let period, wakeAt == nil { wakeAt = clock.now().end(ofPeriod: period, since: origin) }
      return .none
    case .woken:
      assert(!waiting.isEmpty, "A buffer was woken although no value waits.")
      return Action(send: takeWaiting(), by: cause)
    case .ended(.finished, _):
      let values = takeWaiting()
      return Action(send: values, by: values == nil ? .none : cause, end: .finished)
    case .ended(let failure, _):
      return Action(end: failure)
    }
  }

  @inlinable
  @inline(__always)
  mutating func keep(_ value: Element) {
    let arrived = CarriedCause.current
    cause = waiting.isEmpty || cause == arrived ? arrived : .unknown
    if waiting.isEmpty { waiting.reserveCapacity(room) }
    waiting.append(value)
  }

  @inlinable
  @inline(__always)
  mutating func takeWaiting() -> [Element]? {
    wakeAt = nil
    guard !waiting.isEmpty else { return nil }
    defer { waiting = [] }
    room = waiting.count
    return waiting
  }
}

extension Duration {
  /// The first instant after this one that is a whole number of periods after the origin.
  @usableFromInline
  func end(ofPeriod period: Duration, since origin: Duration) -> Duration {
    let elapsed = (self - origin).attoseconds
    let begin = origin + Duration(attoseconds: elapsed - elapsed % period.attoseconds)
    return begin.later(by: period)
  }
}
