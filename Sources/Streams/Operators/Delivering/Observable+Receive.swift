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
  public func receive<Isolation: Actor>(on actor: Isolation) -> IsolatedObservable<Element, Failure, Isolation> {
    IsolatedObservable(
      actor: actor,
      stream: received { drain in Task { await drain.run(on: actor) } }
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
  public func receive(on executor: some SerialExecutor) -> Observable<Element, Failure> {
    let actor = ExecutorActor(executor)
    return received { drain in Task { await drain.run(on: actor) } }
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
  public func receive(on executor: some TaskExecutor) -> Observable<Element, Failure> {
    received { drain in Task(executorPreference: executor) { await drain.run(on: nil) } }
  }

  private func received(
    start: @escaping @Sendable (ReceivingNode<Element, Failure>) -> Void
  ) -> Observable<Element, Failure> {
    let attach = observable.attach
    return Observable<Element, Failure>(attach: { observer in
      // The task delivers values of all senders, so it does not begin as a part of what the first one is in.
      let node = ReceivingNode(into: observer) { node in CarriedCause.unknown.startTask { start(node) } }
      attach(node.input)
    })
  }
}

/// An actor that runs on a given executor.
private actor ExecutorActor<Executor: SerialExecutor> {
  private nonisolated let executor: Executor

  init(_ executor: Executor) {
    self.executor = executor
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
