/// The shell of a ``JoinMachine``: many inputs, one observer. Merging, switching and concatenating are made of it.
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
/// Safe to share: the inputs are behind their lock, and everything that reaches the observer goes through the queue.
@usableFromInline
final class JoinShell<Element: Sendable, Failure: Error>: Sendable {
  /// A value, and the input that sent it: the value counts as long as the input does.
  @usableFromInline
  struct Item: Sendable {
    @usableFromInline let value: Element
    @usableFromInline let input: JoinInput

    @inlinable
    init(_ value: Element, _ input: JoinInput) {
      self.value = value
      self.input = input
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
      if item.input.counts { observer.send(item.value) }
    }
  }

  @usableFromInline let queue: DeliveryQueue<Output>
  @usableFromInline let inputs: JoinInputs

  @inlinable
  init(_ policy: JoinPolicy, into observer: Observer<Element, Failure>) {
    queue = DeliveryQueue(Output(to: observer))
    inputs = JoinInputs(policy, of: observer.lifetime)
  }

  /// Subscribes to a fixed number of streams. All of them are there before the first is subscribed to.
  @inlinable
  func follow(_ streams: [Observable<Element, Failure>]) {
    let opened = streams.map { _ in inputs.open() }
    for (stream, (input, number)) in zip(streams, opened) {
      if let number { attach(stream, input, number) }
    }
  }

  /// Subscribes to the streams that a stream sends, as they arrive.
  @inlinable
  func follow(_ streams: Observable<Observable<Element, Failure>, Failure>) {
    follow(streams) { stream in
      let (input, number) = self.inputs.replace()
      if let number { self.attach(stream, input, number) }
    }
  }

  /// Subscribes to the streams that a stream sends, one after the other.
  @inlinable
  func follow(_ streams: Observable<Observable<Element, Failure>, Failure>, inLine line: JoinLine) {
    follow(streams) { stream in
      let (input, number) = self.inputs.replace()
      guard let number else { return }
      line.add { line in self.attach(stream, input, number) { line.next() } }
    }
  }

  @inlinable
  @inline(__always)
  func follow(
    _ streams: Observable<Observable<Element, Failure>, Failure>,
    _ take: @escaping @Sendable (Observable<Element, Failure>) -> Void
  ) {
    let (input, number) = inputs.open()
    guard let number else { return }
    streams.attach(
      Observer(lifetime: input.upstream, onValue: take) { end in
        input.upstream.terminate()
        self.inputEnded(number, end)
      } onAcknowledge: { acknowledgement in
        self.acknowledge(acknowledgement)
      }
    )
  }

  @inlinable
  @inline(__always)
  func attach(
    _ stream: Observable<Element, Failure>,
    _ input: JoinInput,
    _ number: Int,
    then next: @escaping @Sendable () -> Void = {}
  ) {
    guard input.upstream.isActive else { return }
    stream.attach(
      Observer(lifetime: input.upstream) { value in
        _ = self.queue.send(Item(value, input))
      } onEnd: { end in
        input.upstream.terminate()
        self.inputEnded(number, end)
        next()
      } onAcknowledge: { acknowledgement in
        self.acknowledge(acknowledgement)
      }
    )
  }

  @inlinable
  @inline(never)
  func inputEnded(_ number: Int, _ end: StreamEnd<Failure>) {
    let isFailure = if case .failed = end { true } else { false }
    switch inputs.ended(number, failed: isFailure) {
    case .nothing: break
    case .finish: close(end, cancelling: [])
    case .fail(let others):
      // Closed first, so that nothing that a sibling sends can follow; what it had sent before waits ahead of the end.
      // The siblings are cancelled before the end is delivered, and also if the end has to wait.
      close(end, cancelling: others)
      for input in others { input.upstream.terminate() }
    }
  }

  @inlinable
  func acknowledge(_ acknowledgement: @escaping @Sendable () -> Void) {
    queue.run { output, _ in output.observer.acknowledge(acknowledgement) }
  }

  @inlinable
  func close(_ end: StreamEnd<Failure>, cancelling others: [JoinInput]) {
    // `false` would mean that the result has ended before, which is what is wanted.
    _ = queue.close { output, _ in
      for input in others { input.upstream.terminate() }
      output.observer.end(end)
    }
  }
}
