/// The shell of a ``JoinMachine``: many inputs, one observer. Merging and switching are made of it.
///
/// ```
///   inputs ──values──────────────▶ queue ──▶ observer
///      │                             ▲
///      └──ends, new streams──▶ lock ─┴ the end
///                               │
///                               └─ follow, cancel: at once
/// ```
///
/// Values pass through the queue alone. When an input opens or ends, the machine is asked at that moment, and not when
/// the queue reaches it: a stream that is replaced from inside a callback is cancelled at once.
///
/// Safe to share: the machine is behind the lock, and everything that reaches the observer goes through the queue.
@usableFromInline
final class JoinShell<Element: Sendable, Failure: Error>: Sendable {
  /// One input. It has two lifetimes, because an input that has ended sends nothing more, but what it has sent still
  /// counts; the values of an input that was replaced do not count any more.
  @usableFromInline
  struct Input: Sendable {
    @usableFromInline let membership = Lifetime()
    @usableFromInline let upstream = Lifetime()

    @usableFromInline init() {}

    func cancel() {
      membership.terminate()
      upstream.terminate()
    }
  }

  /// A value, and the lifetime of the input that sent it: the value counts as long as that is active.
  @usableFromInline
  struct Item: Sendable {
    @usableFromInline let value: Element
    @usableFromInline let membership: Lifetime

    @inlinable
    init(_ value: Element, _ membership: Lifetime) {
      self.value = value
      self.membership = membership
    }
  }

  /// The state that the queue protects.
  @usableFromInline
  struct Output: ~Copyable, DeliveryShell {
    @usableFromInline let observer: Observer<Element, Failure>

    @inlinable
    init(to observer: Observer<Element, Failure>) {
      self.observer = observer
    }

    @inlinable
    @inline(__always)
    mutating func deliver(_ item: Item, _ access: QueueAccess) {
      if item.membership.isActive { observer.send(item.value) }
    }
  }

  @usableFromInline let queue: DeliveryQueue<Output>
  private let observer: Observer<Element, Failure>
  private let machine: Lock<JoinMachine<Input>>

  @inlinable
  convenience init(_ policy: JoinMachine<Input>.Policy, into observer: Observer<Element, Failure>) {
    self.init(policy, into: observer, queue: DeliveryQueue(Output(to: observer)))
  }

  @usableFromInline
  init(
    _ policy: JoinMachine<Input>.Policy,
    into observer: Observer<Element, Failure>,
    queue: DeliveryQueue<Output>
  ) {
    self.observer = observer
    self.queue = queue
    machine = Lock(JoinMachine(policy))
    observer.lifetime.onTermination { self.cancel() }
  }

  /// Subscribes to a fixed number of streams. All of them are there before the first is subscribed to.
  @inlinable
  func follow(_ streams: [Observable<Element, Failure>]) {
    let inputs = streams.map { _ in open() }
    for (stream, (input, number)) in zip(streams, inputs) {
      if let number { attach(stream, input, number) }
    }
  }

  /// Subscribes to the streams that a stream sends.
  @inlinable
  func follow(_ streams: Observable<Observable<Element, Failure>, Failure>) {
    let (input, number) = open()
    guard let number else { return }
    streams.attach(
      Observer(lifetime: input.upstream) { stream in
        let (input, number) = self.replace()
        if let number { self.attach(stream, input, number) }
      } onEnd: { end in
        input.upstream.terminate()
        self.inputEnded(number, end)
      } onAcknowledge: { acknowledgement in
        self.acknowledge(acknowledgement)
      }
    )
  }

  @inlinable
  @inline(__always)
  func attach(_ stream: Observable<Element, Failure>, _ input: Input, _ number: Int) {
    guard input.upstream.isActive else { return }
    let membership = input.membership
    stream.attach(
      Observer(lifetime: input.upstream) { value in
        _ = self.queue.send(Item(value, membership))
      } onEnd: { end in
        input.upstream.terminate()
        self.inputEnded(number, end)
      } onAcknowledge: { acknowledgement in
        self.acknowledge(acknowledgement)
      }
    )
  }

  @usableFromInline
  func open() -> (Input, number: Int?) {
    let input = Input()
    return (input, machine.withLock { $0.opened(input) })
  }

  @usableFromInline
  func replace() -> (Input, number: Int?) {
    let input = Input()
    let (number, cancelled) = machine.withLock { $0.arrived(input) }
    cancelled?.cancel()
    return (input, number)
  }

  @usableFromInline
  func inputEnded(_ number: Int, _ end: StreamEnd<Failure>) {
    let isFailure = if case .failed = end { true } else { false }
    switch machine.withLock({ $0.ended(number, failed: isFailure) }) {
    case .nothing: break
    case .finish: close(end)
    case .fail(let others):
      // Closed first, so that nothing that a sibling sends can follow; what it had sent before waits ahead of the end.
      // The siblings are cancelled before the end is delivered, and also if the end has to wait.
      close(end, before: { for input in others { input.upstream.terminate() } })
      for input in others { input.upstream.terminate() }
    }
  }

  @usableFromInline
  func acknowledge(_ acknowledgement: @escaping @Sendable () -> Void) {
    queue.run { output, _ in output.observer.acknowledge(acknowledgement) }
  }

  private func close(_ end: StreamEnd<Failure>, before: @escaping @Sendable () -> Void = {}) {
    // `false` would mean that the result has ended before, which is what is wanted.
    _ = queue.close { output, _ in
      before()
      output.observer.end(end)
    }
  }

  private func cancel() {
    for input in machine.withLock({ $0.over() }) { input.cancel() }
  }
}
