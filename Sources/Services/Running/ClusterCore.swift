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
  private let closing = Lock<Task<Void, Never>?>(nil)
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
    guard let failures else { return }
    for other in failures.others {
      report(.furtherError(action: String(describing: A.self), error: other.error))
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
    let (step, isHandled) = plan.value?.step(for: ActionKind(A.self)) ?? (nil, false)
    if !isHandled { report(.unhandledAction(action: String(describing: A.self))) }
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
    plan.value?.step(for: ActionKind(type)).step?.count ?? 0
  }

  // MARK: Ending

  /// Stops the emitters, waits for what is under way, and takes the steps down, the last one first.
  func shutDown(_ steps: [LifecycleStep]) async {
    let isInside = CallContext.current.isInside(id)
    let task = closing.withLock { task in
      if let task { return task }
      let new = CallContext.$current.withValue(CallContext()) {
        Task { await self.takeDown(steps) }
      }
      task = new
      return new
    }
    // Closed by the time this returns, also if it cannot wait.
    admission.drain()
    // What is part of a send cannot wait for that send to end.
    if !isInside { await task.value }
  }

  private func takeDown(_ steps: [LifecycleStep]) async {
    admission.drain()
    for emitter in allEmitters() { emitter.stop() }
    await admission.waitUntilDrained()
    for step in steps.reversed() {
      guard let teardown = step.teardown else { continue }
      do {
        try await teardown()
      } catch {
        report(.teardownFailed(place: step.place, error: error))
      }
    }
  }

  /// The cluster has been released: nobody is left to wait for anything.
  func abandon() {
    for emitter in allEmitters() { emitter.abandon() }
  }

  private func allEmitters() -> [RunningEmitter] {
    emitters.withLock { $0 }
  }
}
