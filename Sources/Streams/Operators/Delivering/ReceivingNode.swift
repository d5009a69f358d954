/// The values that wait for an executor, in a line that one task at a time empties.
///
/// Safe to share: the line is behind its lock; the observer is called by the one task that drains.
@usableFromInline
final class ReceivingNode<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline
  enum Item: Sendable {
    case value(Element)
    case end(StreamEnd<Failure>)
    case acknowledge(@Sendable () -> Void)
  }

  @usableFromInline
  struct Line: Sendable {
    @usableFromInline var items = RingBuffer<Kept<Item>>()
    @usableFromInline var isDraining = false

    @inlinable
    init() {}
  }

  @usableFromInline let line: Lock<Line>
  @usableFromInline let observer: Observer<Element, Failure>
  @usableFromInline let place: ReceivingPlace

  @inlinable
  init(into observer: Observer<Element, Failure>, on place: ReceivingPlace) {
    line = Lock(Line())
    self.observer = observer
    self.place = place
    observer.lifetime.onTermination { self.drop() }
  }

  /// The observer for upstream.
  @inlinable
  var input: Observer<Element, Failure> {
    Observer(lifetime: observer.lifetime) { value in
      self.append(.value(value))
    } onEnd: { end in
      self.append(.end(end))
    } onAcknowledge: { acknowledgement in
      self.append(.acknowledge(acknowledgement))
    }
  }

  @inlinable
  @inline(never)
  func append(_ item: Item) {
    let waiting = Kept(item)
    let isFirst = line.withLock { line in
      line.items.append(waiting)
      defer { line.isDraining = true }
      return !line.isDraining
    }
    if isFirst { place.drain { self.deliverNext() } }
  }

  /// Delivers what has waited longest.
  ///
  /// - Returns: `false` if nothing waits.
  @inlinable
  @inline(never)
  func deliverNext() -> Bool {
    guard let waiting = next() else { return false }
    // The task has the cause of what was there first.
    waiting.cause.deliver { deliver(waiting.value) }
    return true
  }

  @inlinable
  func deliver(_ item: Item) {
    switch item {
    case .value(let value): observer.send(value)
    case .end(let end): observer.end(end)
    case .acknowledge(let acknowledgement): observer.acknowledge(acknowledgement)
    }
  }

  @inlinable
  @inline(__always)
  func next() -> Kept<Item>? {
    line.withLock { line in
      assert(line.isDraining, "Two tasks drain one line.")
      let item = line.items.popFirst()
      if item == nil { line.isDraining = false }
      return item
    }
  }

  /// Releases what waits. An acknowledgement is called, because a source waits for it.
  @usableFromInline
  func drop() {
    let dropped = line.withLock { line in
      let items = line.items
      line.items = RingBuffer()
      return items
    }
    for waiting in dropped.elements {
      if case .acknowledge(let acknowledgement) = waiting.value { acknowledgement() }
    }
  }
}
