/// The values that wait for an executor, in a line that one task at a time empties.
///
/// Safe to share: the line is behind its lock; the observer is called by the one task that drains.
final class ReceivingNode<Element: Sendable, Failure: Error>: Sendable {
  private enum Item: Sendable {
    case value(Element)
    case end(StreamEnd<Failure>)
    case acknowledge(@Sendable () -> Void)
  }

  private struct Waiting: Sendable {
    let item: Item
    let cause = CarriedCause.current
  }

  private struct Line: Sendable {
    var items = RingBuffer<Waiting>()
    var isDraining = false
  }

  /// The number of items that are delivered before other tasks may run on the executor.
  private static var batch: Int { 64 }

  private let line = Lock(Line())
  private let observer: Observer<Element, Failure>
  private let start: @Sendable (ReceivingNode) -> Void

  init(into observer: Observer<Element, Failure>, start: @escaping @Sendable (ReceivingNode) -> Void) {
    self.observer = observer
    self.start = start
    observer.lifetime.onTermination { self.drop() }
  }

  /// The observer for upstream.
  var input: Observer<Element, Failure> {
    Observer(lifetime: observer.lifetime) { value in
      self.append(.value(value))
    } onEnd: { end in
      self.append(.end(end))
    } onAcknowledge: { acknowledgement in
      self.append(.acknowledge(acknowledgement))
    }
  }

  /// Delivers on the actor until the line is empty.
  func run(on actor: isolated (any Actor)?) async {
    while true {
      for _ in 0..<Self.batch {
        guard let waiting = next() else { return }
        // The task has the cause of what was there first.
        waiting.cause.deliver { deliver(waiting.item) }
      }
      await Task.yield()
    }
  }

  private func deliver(_ item: Item) {
    switch item {
    case .value(let value): observer.send(value)
    case .end(let end): observer.end(end)
    case .acknowledge(let acknowledgement): observer.acknowledge(acknowledgement)
    }
  }

  private func append(_ item: Item) {
    let waiting = Waiting(item: item)
    let isFirst = line.withLock { line in
      line.items.append(waiting)
      defer { line.isDraining = true }
      return !line.isDraining
    }
    if isFirst { start(self) }
  }

  private func next() -> Waiting? {
    line.withLock { line in
      assert(line.isDraining, "Two tasks drain one line.")
      let item = line.items.popFirst()
      if item == nil { line.isDraining = false }
      return item
    }
  }

  /// Releases what waits. An acknowledgement is called, because a source waits for it.
  private func drop() {
    let dropped = line.withLock { line in
      let items = line.items
      line.items = RingBuffer()
      return items
    }
    for waiting in dropped.elements {
      if case .acknowledge(let acknowledgement) = waiting.item { acknowledgement() }
    }
  }
}
