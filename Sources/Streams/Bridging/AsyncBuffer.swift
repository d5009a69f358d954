/// The answer that a reader gets: a value, or the end.
@usableFromInline
enum ReadResult<Element: Sendable, Failure: Error>: Sendable {
  case value(Element)
  case end(StreamEnd<Failure>)
}

/// The buffer between a stream that pushes and a task that pulls. A plain state machine: an event comes in, an action
/// goes out. It has no lock and calls nothing; ``AsyncChannel`` is the shell that does.
///
///               readerArrived                    valueArrived
///     ┌─────────┐ ──────▶ ┌─────────┐   ┌───────┐ ──────▶ ┌────────┐ ─┐ valueArrived: append,
///     │ waiting │         │  open   │ = │ empty │         │ values │  │ or drop as the policy says
///     └─────────┘ ◀────── └─────────┘   └───────┘ ◀────── └────────┘ ◀┘
///          │    valueArrived: resume     take, readerArrived: the oldest
///          │
///          └─ ended, cancelled: resume with the end
///
///     open ── ended ──▶ ended(end): values, then the end once, then `finished` for ever
///     open, ended ── cancelled ──▶ cancelled: `finished` for ever
///
/// ### Invariants
///
/// 1. A reader waits only while the buffer is open and holds no value. So a value that arrives goes to the reader
///    before it can overtake another one.
/// 2. A reader is handed out once: by the value, the end or the cancellation that answers it. The shell resumes it
///    then.
/// 3. The end stands behind all values. A failure is given out once.
/// 4. A bounded buffer holds at most `limit` values. A value for a waiting reader does not count.
/// 5. Everything that leaves the buffer unread is returned to the shell, which releases it without the lock. A `deinit`
///    of a user may call back.
@usableFromInline
struct AsyncBuffer<Element: Sendable, Failure: Error, Reader: Sendable>: Sendable {
  /// What the shell has to do about a value that arrived.
  @usableFromInline
  enum Arrival: Sendable {
    case resume(Reader, Element)
    case buffered
    /// The policy dropped this one.
    case dropped(Element)
    /// The buffer is ended or cancelled.
    case ignored
  }

  /// What the shell has to do about a reader that asks.
  @usableFromInline
  enum Demand: Sendable {
    case resume(ReadResult<Element, Failure>)
    case wait
  }

  @usableFromInline
  enum Phase: Sendable {
    case open
    case ended(StreamEnd<Failure>)
    case cancelled
  }

  @usableFromInline let policy: BufferingPolicy
  @usableFromInline var phase = Phase.open
  @usableFromInline var values = RingBuffer<Element>()
  @usableFromInline var reader: Reader?

  @inlinable
  init(policy: BufferingPolicy) {
    self.policy = policy
  }

  @inlinable
  mutating func valueArrived(_ value: Element) -> Arrival {
    guard case .open = phase else { return .ignored }
    defer { check() }
    if let reader = reader.take() { return .resume(reader, value) }
    let hasRoom = values.count < policy.limit
    if !hasRoom, case .oldest = policy { return .dropped(value) }
    values.append(value)
    guard !hasRoom, let oldest = values.popFirst() else { return .buffered }
    return .dropped(oldest)
  }

  /// The stream ended: the reader that waits, if any, is to be resumed with the end.
  @inlinable
  mutating func ended(_ end: StreamEnd<Failure>) -> Reader? {
    guard case .open = phase else { return nil }
    defer { check() }
    guard let reader = reader.take() else {
      phase = .ended(end)
      return nil
    }
    // The reader gets a failure once. After that the stream is finished.
    phase = .ended(.finished)
    return reader
  }

  /// What there is to read without waiting.
  @inlinable
  mutating func take() -> ReadResult<Element, Failure>? {
    if let value = values.popFirst() { return .value(value) }
    switch phase {
    case .open: return nil
    case .cancelled: return .end(.finished)
    case .ended(let end):
      phase = .ended(.finished)
      return .end(end)
    }
  }

  @inlinable
  mutating func readerArrived(_ newcomer: Reader) -> Demand {
    if let result = take() { return .resume(result) }
    // One iterator has one reader. A second one is refused, because otherwise one of them would never be answered.
    guard reader == nil else { return .resume(.end(.finished)) }
    reader = newcomer
    check()
    return .wait
  }

  /// The reader's task was cancelled, or its iterator was released. The reader that waits is to be resumed with the
  /// end, and what was buffered, a failure included, is to be released.
  @inlinable
  mutating func cancelled() -> (reader: Reader?, abandoned: RingBuffer<Element>, unread: StreamEnd<Failure>?) {
    var unread: StreamEnd<Failure>?
    if case .ended(let end) = phase { unread = end }
    phase = .cancelled
    let abandoned = values
    values = RingBuffer()
    return (reader.take(), abandoned, unread)
  }

  /// Checks invariants 1 and 4 in a debug build.
  @inlinable
  func check() {
    assert(reader == nil || values.isEmpty, "A reader waits although there are values.")
    if case .open = phase {} else { assert(reader == nil, "A reader waits although no value will come.") }
    assert(values.count <= policy.limit, "A buffer holds more values than its bound.")
  }
}
