/// Many inputs, one observer: the shell around ``DeliveryQueue`` that merging is made of.
///
/// Safe to share: the open inputs are behind their lock, and everything that reaches the observer goes through the
/// queue.
@usableFromInline
final class MergeNode<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline let observer: Observer<Element, Failure>
  @usableFromInline let queue = DeliveryQueue<Element>()
  private let inputs = Lock(OrderedDictionary<ObjectIdentifier, Lifetime>())

  @usableFromInline
  init(into observer: Observer<Element, Failure>) {
    self.observer = observer
    observer.lifetime.onTermination { self.letGo() }
  }

  /// Registers an input, so that the merge does not finish before it.
  @usableFromInline
  func open() -> Lifetime {
    let lifetime = Lifetime()
    inputs.withLock { $0.add(lifetime, for: ObjectIdentifier(lifetime)) }
    // The observer may have gone between the last look at the inputs and here.
    if !observer.lifetime.isActive { letGo() }
    return lifetime
  }

  @inlinable
  func attach(_ input: Observable<Element, Failure>, _ lifetime: Lifetime) {
    guard lifetime.isActive else { return }
    input.attach(
      Observer(lifetime: lifetime) { value in
        _ = self.queue.submit(value) { self.deliver($0) }
      } onSignal: { signal in
        switch signal {
        case .end(let end): self.inputEnded(lifetime, end)
        case .barrier(let resume): self.pass(resume)
        }
      }
    )
  }

  /// The observer for a stream of inputs.
  @inlinable
  func outer(_ lifetime: Lifetime) -> Observer<Observable<Element, Failure>, Failure> {
    Observer(lifetime: lifetime) { input in
      self.attach(input, self.open())
    } onSignal: { signal in
      switch signal {
      case .end(let end): self.inputEnded(lifetime, end)
      case .barrier(let resume): self.pass(resume)
      }
    }
  }

  /// Finishes a merge that never had an input.
  @usableFromInline
  func sealIfEmpty() {
    if inputs.withLock(\.isEmpty) { close(.finished) }
  }

  @inlinable
  @inline(__always)
  func deliver(_ value: Element) {
    observer.send(value)
  }

  @usableFromInline
  func inputEnded(_ lifetime: Lifetime, _ end: StreamEnd<Failure>) {
    let (removed, isLast) = inputs.withLock { inputs in
      let removed = inputs.remove(ObjectIdentifier(lifetime))
      return (removed, removed != nil && inputs.isEmpty)
    }
    removed?.terminate()
    switch end {
    case .finished:
      if isLast { close(.finished) }
    case .failed:
      // Closed first, so that nothing a sibling sends can follow; what it had sent is ahead in line.
      close(end)
      letGo()
    }
  }

  @usableFromInline
  func pass(_ resume: @escaping @Sendable () -> Void) {
    queue.run({ self.observer.signal(.barrier(resume)) }, deliver: { deliver($0) })
  }

  private func close(_ end: StreamEnd<Failure>) {
    _ = queue.close({ self.observer.end(end) }, deliver: { deliver($0) })
  }

  private func letGo() {
    for lifetime in inputs.exchange(with: OrderedDictionary()).values { lifetime.terminate() }
  }
}
