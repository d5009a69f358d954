import Streams

/// The running part of a cluster.
///
/// The ``Cluster`` owns it, and so does every send that is under way. Environments and emitters know it weakly, which is
/// why nothing that a service keeps can keep the cluster.
///
/// Safe to share: the plan is written before `admission` opens and read after entering it; the rest is immutable or safe by
/// itself.
final class ClusterCore: Sendable {
  /// Written once, by whoever bootstraps, before `admission` opens.
  private let plan = Confined<Plan?>(nil)
  private let admission = Admission()
  private let emitters = Lock<[RunningEmitter]>([])
  private let closing = Lock(Closing())
  /// The one place where problems go.
  let report: @Sendable (ServiceDiagnostic) -> Void

  init(report: @escaping @Sendable (ServiceDiagnostic) -> Void) {
    self.report = report
  }

  var id: ObjectIdentifier { ObjectIdentifier(self) }

  /// How to send without keeping the cluster.
  var weakSend: Send {
    { [weak self] action in
      guard let self else { throw ClusterError.released }
      try await self.send(action)
    }
  }

  private struct Closing: Sendable {
    var hasBegun = false
    var isOver = false
    /// Who waits for the end.
    var waiters: [Latch] = []
  }

  // MARK: Sending

  func send<A: Action>(_ action: A) async throws {
    let context = CallContext.current
    if let turn = context.turn {
      let isFeedback = context.isFeedback(to: id)
      let isPostponed = turn.postpone { first in
        await self.deliver(action, isFeedback: isFeedback, in: first, after: first)
      }
      if isPostponed { return }
    }
    let failures = await deliver(action, isFeedback: context.isFeedback(to: id), in: context.delivery, after: nil)
    try fail(failures, at: String(describing: A.self))
  }

  /// Throws the first error, if there is one, and reports the others.
  func fail(_ failures: Failures?, at action: @autoclosure () -> String) throws {
    guard let failures else { return }
    // That all of them were cancelled is one piece of news.
    for other in failures.others where !(Task.isCancelled && other.error is CancellationError) {
      report(.furtherError(action: action(), error: other.error))
    }
    throw failures.first.error
  }

  /// - Parameters:
  ///   - outer: the delivery in which this one takes place.
  ///   - first: the delivery at whose end this one takes place; it sends what is postponed.
  private func deliver<A: Action>(
    _ action: A,
    isFeedback: Bool,
    in outer: Delivery?,
    after first: Delivery?
  ) async -> Failures? {
    if Task.isCancelled { return Failures(CancellationError(), isFinal: true) }
    do throws(ClusterError) {
      try admission.enter { CallContext(delivery: outer).isInside(id) }
    } catch {
      return Failures(error)
    }
    defer { admission.leave() }
    let (step, isHandled) = plan.value?.step(for: type(of: action)) ?? (nil, false)
    if !isHandled { report(.unhandledAction(action: String(describing: type(of: action)))) }
    guard let step else { return nil }

    let delivery = Delivery(action, to: id, isFeedback: isFeedback, in: outer, after: first)
    defer { delivery.close() }
    return await CallContext.$current.withValue(CallContext(delivery: delivery)) {
      var failures: Failures?
      do throws(Failures) {
        try await step.run(delivery)
      } catch {
        failures = error
      }
      failures.add(await delivery.sendPostponed())
      return failures
    }
  }

  // MARK: Starting

  /// Takes actions from now on.
  func open(_ root: Node) {
    plan.value = Plan(root)
    admission.open()
  }

  func start(_ emission: Emission) -> RunningEmitter {
    let emitter = RunningEmitter(emission, report: report)
    emitters.withLock { $0.append(emitter) }
    emitter.start()
    return emitter
  }

  /// How many steps an action of a type takes, for tests.
  func stepCount<A: Action>(for type: A.Type) -> Int {
    plan.value?.step(for: type).step?.count ?? 0
  }

  // MARK: Ending

  /// Stops the emitters, refuses new sends, waits for what is under way, and takes the steps down, the last one first.
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
      // First, so that an emitter whose action is refused knows why.
      for emitter in allEmitters() { emitter.stop() }
      admission.drain()
      CallContext.$current.withValue(CallContext()) {
        _ = Task { await self.takeDown(steps) }
      }
    }
    // What is part of a send cannot wait for that send to end.
    if isOver || CallContext.current.isInside(id) { return }
    await over.wait()
  }

  private func takeDown(_ steps: [LifecycleStep]) async {
    await admission.waitUntilDrained()
    // So that a teardown that asks for shutdown does not wait for itself.
    let delivery = Delivery(Prelude(), to: id, isFeedback: false, in: nil, after: nil)
    await CallContext.$current.withValue(CallContext(delivery: delivery)) {
      for step in steps.reversed() {
        guard let teardown = step.teardown else { continue }
        do {
          try await teardown()
        } catch {
          report(.teardownFailed(place: step.place, error: error))
        }
      }
    }
    delivery.close()
    let waiters = closing.withLock { closing in
      defer { closing.waiters = [] }
      closing.isOver = true
      return closing.waiters
    }
    for waiter in waiters { waiter.fire() }
  }

  /// The cluster has been released: nobody is left to wait for anything.
  func abandon() {
    for emitter in allEmitters() { emitter.abandon() }
  }

  private func allEmitters() -> [RunningEmitter] {
    emitters.withLock { $0 }
  }
}
