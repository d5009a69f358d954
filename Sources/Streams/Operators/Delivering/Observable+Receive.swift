extension ObservableConvertible {
  /// Moves delivery onto an actor.
  ///
  ///     source  a-b-c|
  ///     result  a-b-c|    receive(on: actor), as soon as the actor has time
  ///
  ///     token = headings.receive(on: MainActor.shared).subscribe { [weak self] in self?.heading = $0 }
  ///
  /// - Ordering: as upstream, without overlap.
  /// - Concurrency: upstream may send from any thread and does not wait for the actor: values that the actor has not
  ///   handled yet are kept. Cancelling drops the values that wait.
  /// - Backpressure: an asynchronous sequence upstream is not read faster than the actor handles its values.
  /// - Lifetime: the subscription keeps the actor alive. An actor that keeps the token of a stream that is delivered on
  ///   itself lives until that is cancelled or ends.
  /// - Complexity: O(1) per value; a burst is delivered in one visit to the actor, which lets other tasks run between
  ///   pieces.
  @inlinable
  @inline(__always)
  public func receive<Isolation: Actor>(on actor: Isolation) -> IsolatedObservable<Element, Failure, Isolation> {
    IsolatedObservable(
      actor: actor,
      stream: observable.received(on: .actor(actor))
    )
  }

  /// Moves delivery onto a serial executor.
  ///
  ///     source  a-b-^
  ///     result  a-b-^     receive(on: executor), as soon as the executor has time
  ///
  /// - Ordering: as ``receive(on:)-(Isolation)``.
  /// - Concurrency: as ``receive(on:)-(Isolation)``.
  /// - Backpressure: as ``receive(on:)-(Isolation)``.
  /// - Complexity: as ``receive(on:)-(Isolation)``.
  @inlinable
  @inline(__always)
  public func receive(on executor: some SerialExecutor) -> Observable<Element, Failure> {
    observable.received(on: .executor(executor))
  }

  /// Moves delivery onto an executor that may run several tasks at once. Values are still delivered in order and
  /// without overlap.
  ///
  ///     source  [ab]-c|
  ///     result  [ab]-c|   receive(on: executor), if the executor always has time
  ///
  /// - Ordering: as ``receive(on:)-(Isolation)``.
  /// - Concurrency: as ``receive(on:)-(Isolation)``.
  /// - Backpressure: as ``receive(on:)-(Isolation)``.
  /// - Complexity: as ``receive(on:)-(Isolation)``.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public func receive(on executor: some TaskExecutor) -> Observable<Element, Failure> {
    observable.received(on: .taskExecutor(executor))
  }
}

extension Observable {
  @inlinable
  func received(on place: ReceivingPlace) -> Observable {
    let attach = attach
    return Observable(attach: { observer in attach(ReceivingNode(into: observer, on: place).input) })
  }
}
