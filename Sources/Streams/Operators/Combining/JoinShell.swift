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
/// A merge that is itself an input of a merge has no shell of its own: its inputs are inputs of the shell around it. So
/// a value passes one queue, however many merges are around its stream.
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

  /// What gets the values of one input.
  @usableFromInline
  final class Receiver: Sendable {
    @usableFromInline let shell: JoinShell
    @usableFromInline let input: JoinInput
    @usableFromInline let number: Int
    /// Whether the streams of a merge may come in its place.
    @usableFromInline let isMerged: Bool

    @inlinable
    init(_ shell: JoinShell, _ input: JoinInput, _ number: Int, isMerged: Bool) {
      (self.shell, self.input, self.number, self.isMerged) = (shell, input, number, isMerged)
    }

    @inlinable
    func end(_ end: StreamEnd<Failure>) {
      input.upstream.terminate()
      shell.inputEnded(number, end)
    }
  }

  @usableFromInline let queue: DeliveryQueue<Output>
  @usableFromInline let inputs: JoinInputs
  @usableFromInline let policy: JoinPolicy

  // Not inlined: Swift 6.3.1 crashes where it puts this initialiser into a merge of objects.
  @inlinable
  @inline(never)
  init(_ policy: JoinPolicy, into observer: Observer<Element, Failure>) {
    queue = DeliveryQueue(Output(to: observer))
    inputs = JoinInputs(policy, of: observer.lifetime)
    self.policy = policy
  }

  /// Merges a fixed number of streams. All of them are there before the first is subscribed to.
  @inlinable
  static func merge(_ streams: [Observable<Element, Failure>], into observer: Observer<Element, Failure>) {
    let receiver = observer.receiver as? Receiver
    let outer = receiver?.isMerged == true ? receiver : nil
    let shell = outer?.shell ?? JoinShell(.merge, into: observer)
    let inputs = streams.compactMap { _ in shell.inputs.open().map { shell.upstream($0, $1) } }
    // The inputs are there, so this is not the end of the last one.
    outer?.end(.finished)
    for (stream, input) in zip(streams, inputs).dropLast() { stream.attachIfActive(input) }
    // There are fewer inputs if all is over.
    guard let stream = streams.last, inputs.count == streams.count, let input = inputs.last else { return }
    SubscriptionLoop.run(for: input, after: observer) { stream.attachIfActive(input) }
  }

  /// Subscribes to the streams that a stream sends: as they arrive, or one after the other, in a line.
  @inlinable
  func follow(_ streams: Observable<Observable<Element, Failure>, Failure>, inLine line: JoinLine? = nil) {
    guard let (input, number) = inputs.open() else { return }
    streams.attach(
      Observer(lifetime: input.upstream) { stream in
        guard let (input, number) = self.inputs.replace() else { return }
        guard let line else { return stream.attachIfActive(self.upstream(input, number)) }
        line.add { line in stream.attachIfActive(self.upstream(input, number) { line.next() }) }
      } onEnd: { end in
        input.upstream.terminate()
        self.inputEnded(number, end)
      } onAcknowledge: { acknowledgement in
        self.acknowledge(acknowledgement)
      }
    )
  }

  /// Returns the observer of an input.
  ///
  /// - Parameter next: follows the next stream of a line.
  @inlinable
  @inline(__always)
  func upstream(
    _ input: JoinInput,
    _ number: Int,
    then next: (@Sendable () -> Void)? = nil
  ) -> Observer<Element, Failure> {
    let receiver = Receiver(self, input, number, isMerged: policy == .merge && next == nil)
    return Observer(
      lifetime: input.upstream,
      onEnd: { end in
        receiver.end(end)
        next?()
      },
      onAcknowledge: { acknowledgement in receiver.shell.acknowledge(acknowledgement) },
      next: receiver,
      step: { value, receiver in
        receiver._withUnsafeGuaranteedRef {
          let receiver = unsafeDowncast($0, to: Receiver.self)
          _ = receiver.shell.queue.send(Item(value, receiver.input)) { output, access in
            if receiver.input.counts { output.observer.send(value) }
          }
        }
      }
    )
  }

  @inlinable
  @inline(never)
  func inputEnded(_ number: Int, _ end: StreamEnd<Failure>) {
    let isFailure = if case .failed = end { true } else { false }
    guard let others = inputs.ended(number, failed: isFailure) else { return }
    // Closed first, so that nothing that a sibling sends can follow; what it had sent before waits ahead of the end.
    // The siblings are cancelled before the end is delivered, and also if the end has to wait. `false` would mean that
    // the result has ended before, which is what is wanted.
    _ = queue.close { output, _ in
      for input in others { input.upstream.terminate(cuttingOff: true) }
      output.observer.end(end)
    }
    for input in others { input.upstream.terminate(cuttingOff: true) }
  }

  @inlinable
  func acknowledge(_ acknowledgement: @escaping @Sendable () -> Void) {
    queue.run { output, _ in output.observer.acknowledge(acknowledgement) }
  }
}
