/// What a reader gets.
@usableFromInline
enum StreamDelivery<Element: Sendable, Failure: Error>: Sendable {
  case value(Element)
  case end(StreamEnd<Failure>)
}

/// What waits between a stream that pushes and a task that pulls: a plain state machine, event in, action out.
///
/// It has no lock and calls nobody; ``AsyncChannel`` is the shell that does.
@usableFromInline
struct AsyncBuffer<Element: Sendable, Failure: Error, Reader: Sendable>: Sendable {
  /// What the shell has to do about a value that arrived.
  @usableFromInline
  enum Arrival: Sendable {
    case resume(Reader, Element)
    case buffered
    /// The policy gave this one up.
    case dropped(Element)
    /// Nobody reads any more.
    case ignored
  }

  /// What the shell has to do about a reader that asks.
  @usableFromInline
  enum Demand: Sendable {
    case resume(StreamDelivery<Element, Failure>)
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
    if let reader = reader.take() { return .resume(reader, value) }
    switch policy {
    case .unbounded:
      values.append(value)
      return .buffered
    case .newest(let limit):
      values.append(value)
      guard values.count > max(0, limit), let oldest = values.popFirst() else { return .buffered }
      return .dropped(oldest)
    case .oldest(let limit):
      guard values.count < max(0, limit) else { return .dropped(value) }
      values.append(value)
      return .buffered
    }
  }

  /// The stream ended: the reader that waits, if any, is to be resumed with the end.
  @inlinable
  mutating func ended(_ end: StreamEnd<Failure>) -> Reader? {
    guard case .open = phase else { return nil }
    guard let reader = reader.take() else {
      phase = .ended(end)
      return nil
    }
    // The reader hears of a failure once; afterwards the stream is simply over.
    phase = .ended(.finished)
    return reader
  }

  /// What there is to read without waiting.
  @inlinable
  mutating func take() -> StreamDelivery<Element, Failure>? {
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
    if let delivery = take() { return .resume(delivery) }
    // One iterator has one reader. A second one is refused rather than leaving either without an answer.
    guard reader == nil else { return .resume(.end(.finished)) }
    reader = newcomer
    return .wait
  }

  /// The reader's task was cancelled, or nobody will read again: the reader that waits is to be resumed with the end,
  /// and what was buffered, a failure included, is to be released.
  @inlinable
  mutating func cancelled() -> (reader: Reader?, abandoned: RingBuffer<Element>, unread: StreamEnd<Failure>?) {
    var unread: StreamEnd<Failure>?
    if case .ended(let end) = phase { unread = end }
    phase = .cancelled
    let abandoned = values
    values = RingBuffer()
    return (reader.take(), abandoned, unread)
  }
}
