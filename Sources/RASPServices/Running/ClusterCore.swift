import Streams

/// The running part of a cluster.
///
/// The ``Cluster`` owns it, and so does every send that is running. Environments and emitters refer to it weakly, so
/// nothing that a service keeps can keep the cluster alive.
///
/// Safe to share: everything in it is immutable or safe by itself.
final class ClusterCore: Sendable {
  /// Written before `gate` opens, and read by sends that it has admitted.
  private let plan = WriteOnce<Plan>()
  private let gate = DrainGate()
  private let emitters = Lock<[RunningEmitter]>([])
  private let closing = Lock(Closing())
  /// Reports a mistake to the user.
  let report: @Sendable (ServiceDiagnostic) -> Void

  init(report: @escaping @Sendable (ServiceDiagnostic) -> Void) {
    self.report = report
  }

  var id: ObjectIdentifier { ObjectIdentifier(self) }

  /// Sends without keeping the cluster alive.
  var weakSend: Send {
    { [weak self] action in
      guard let self else { throw ClusterError.released }
      try await self.send(action)
    }
  }

  private struct Closing: Sendable {
    var hasBegun = false
    var isOver = false
    /// Fired at the end.
    var waiters: [Latch] = []
  }

  // MARK: Sending

  func send<A: Action>(_ action: A) async throws {
    let context = CallContext.current
    if let section = context.section {
      let isFeedback = context.isFeedback(to: id)
      let isPostponed = section.postpone { first in
        await self.deliver(action, isFeedback: isFeedback, in: first, after: first)
      }
      if isPostponed { return }
    }
    let failures = await deliver(action, isFeedback: context.isFeedback(to: id), in: context.dispatch, after: nil)
    try fail(failures, at: String(describing: A.self))
  }

  /// Throws the first error, if there is one, and reports the others.
  func fail(_ failures: Failures?, at action: @autoclosure () -> String) throws {
    guard let failures else { return }
    // If all services were cancelled, one error tells it.
    for other in failures.others where !(Task.isCancelled && other.error is CancellationError) {
      report(.furtherError(action: action(), error: other.error))
    }
    throw failures.first.error
  }

  /// - Parameters:
  ///   - outer: the dispatch in which this one takes place.
  ///   - first: the dispatch at whose end this one takes place, and which sends what this one postpones.
  private func deliver<A: Action>(
    _ action: A,
    isFeedback: Bool,
    in outer: ActionDispatch?,
    after first: ActionDispatch?
  ) async -> Failures? {
    if Task.isCancelled { return Failures(CancellationError(), isFinal: true) }
    do throws(ClusterError) {
      try gate.enter { CallContext(dispatch: outer).isInside(id) }
    } catch {
      return Failures(error)
    }
    defer { gate.leave() }
    let (step, isHandled) = plan.value.step(for: type(of: action))
    if !isHandled { report(.unhandledAction(action: String(describing: type(of: action)))) }
    guard let step else { return nil }

    let dispatch = ActionDispatch(action, to: id, isFeedback: isFeedback, in: outer, after: first)
    defer { dispatch.close() }
    return await CallContext.$current.withValue(CallContext(dispatch: dispatch)) {
      var failures: Failures?
      do throws(Failures) {
        try await step.run(dispatch)
      } catch {
        failures = error
      }
      failures.add(await dispatch.sendPostponed())
      return failures
    }
  }

  // MARK: Starting

  /// Admits actions from now on.
  func open(_ root: Node) {
    plan.write(Plan(root))
    gate.open()
  }

  func start(_ emission: Emission) -> RunningEmitter {
    let emitter = RunningEmitter(emission, report: report)
    emitters.withLock { $0.append(emitter) }
    emitter.start()
    return emitter
  }

  // MARK: Ending

  /// Stops the emitters, refuses new sends, waits for the running ones, and takes the steps down, the last one first.
  func shutDown(_ steps: [LifecycleStep]) async {
    let over = Latch()
    let (isFirst, isOver) = closing.withLock { closing in
      defer {
        closing.hasBegun = true
        closing.waiters.append(over)
      }
      return (!closing.hasBegun, closing.isOver)
    }
    if isFirst {
      // The emitters stop before the gate closes, so that an emitter whose action is refused knows the reason.
      for emitter in allEmitters() { emitter.stop() }
      gate.drain()
      CallContext.$current.withValue(CallContext()) {
        _ = Task { await self.takeDown(steps) }
      }
    }
    // A task that is part of a send cannot wait for that send to end.
    if isOver || CallContext.current.isInside(id) { return }
    await over.wait()
  }

  private func takeDown(_ steps: [LifecycleStep]) async {
    await gate.waitUntilDrained()
    // Marks the teardown as part of the cluster, so that a call of `shutdown` in it does not wait for itself.
    let dispatch = ActionDispatch(Prelude(), to: id, isFeedback: false, in: nil, after: nil)
    await CallContext.$current.withValue(CallContext(dispatch: dispatch)) {
      for step in steps.reversed() {
        guard let teardown = step.teardown else { continue }
        do {
          try await teardown()
        } catch {
          report(.teardownFailed(place: step.place, error: error))
        }
      }
    }
    dispatch.close()
    let waiters = closing.withLock { closing in
      defer { closing.waiters = [] }
      closing.isOver = true
      return closing.waiters
    }
    for waiter in waiters { waiter.fire() }
  }

  /// The cluster has been released: no caller waits for anything.
  func abandon() {
    for emitter in allEmitters() { emitter.abandon() }
  }

  private func allEmitters() -> [RunningEmitter] {
    emitters.withLock { $0 }
  }
}
