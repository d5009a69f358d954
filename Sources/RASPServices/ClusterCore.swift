import Aggregate
import RASPSupport
import Streams

/// The running part of a cluster.
///
/// The ``Cluster`` owns it, and so does every send that is running. Environments and emitters refer to it weakly, so
/// nothing that a service keeps can keep the cluster alive.
///
/// Safe to share: everything in it is immutable or safe by itself.
final class ClusterCore: Sendable {
  private struct Plans: Sendable {
    let whole: Plan
    /// The plans of the emitters, by the places whose services get their actions.
    let branches: [Int: Plan]
  }

  private struct Closing: Sendable {
    var hasBegun = false
    var isOver = false
    /// Fired at the end.
    var waiters: [Latch] = []
  }

  /// Written before `gate` opens, and read by sends that it has admitted.
  private let plans = WriteOnce<Plans>()
  private let gate = DrainGate()
  private let emitters = Lock<[RunningEmitter]>([])
  private let closing = Lock(Closing())
  let hook = OccurrenceHook()
  /// Reports a mistake to the user.
  let report: @Sendable (ServiceDiagnostic) -> Void
  /// Is `false` if reports have no receiver, so that none need be made.
  private let reports: Bool

  init(report: (@Sendable (ServiceDiagnostic) -> Void)?) {
    let unheard: (@Sendable (ServiceDiagnostic) -> Void)?
    #if DEBUG
      let once = UnheardReports.Once()
      unheard = { once.write($0.kind, "RASP, a tree of services without `diagnostics`: \($0)") }
    #else
      unheard = nil
    #endif
    self.report = report ?? unheard ?? { _ in }
    reports = report != nil || unheard != nil
  }

  /// The number of tasks that wait for the end.
  var waiterCount: Int { closing.withLock { $0.waiters.count } }

  var id: ObjectIdentifier { ObjectIdentifier(self) }

  /// Sends without keeping the cluster alive.
  var weakSend: Send {
    { [weak self] action in
      guard let self else { throw ClusterError.released }
      try await self.send(action)
    }
  }

  // MARK: Sending

  @inline(__always)  // Saves an asynchronous frame for each action.
  nonisolated(nonsending) func send<A: Action>(_ action: A) async throws {
    let context = CallContext.current
    let span = context.span
    if let dispatch = context.postponing, span?.isOpen == true {
      let cause = CarriedCause.current
      let hasGrown = dispatch.outbox.add {
        // The task that empties the outbox is inside of another action.
        let cause = ThreadCause.isCarried || !cause.isUnknown ? cause : nil
        return await self.deliver(action, by: cause, in: dispatch, causedBy: span, postponing: dispatch)
      }
      if let hasGrown {
        if hasGrown { report(.lineGrown(place: "the mutations and watchers of one action, which sent \(A.self)")) }
        return
      }
    }
    let cause: CarriedCause? = ThreadCause.isCarried ? .present : nil
    let failures = await deliver(action, by: cause, in: span, causedBy: nil, postponing: nil)
    if let failures { try fail(failures, at: String(describing: A.self)) }
  }

  /// - Parameters:
  ///   - cause: what has brought the action about; `nil` if that is not recorded.
  ///   - outer: the span in which this dispatch takes place.
  ///   - span: the span in which the action was sent, if that is another one.
  ///   - dispatch: the dispatch whose outbox takes what this one postpones; `nil` for its own.
  @inline(__always)  // Saves an asynchronous frame for each action.
  nonisolated(nonsending) private func deliver<A: Action>(
    _ action: A,
    by cause: CarriedCause?,
    in outer: CallSpan?,
    causedBy span: CallSpan?,
    postponing dispatch: CallSpan?
  ) async -> Failures? {
    // The action has its own identity, if the cluster is recorded, otherwise that of its cause.
    let identity = cause.map { note(action, by: $0) }
    let failures = await carryOut(action, as: identity, in: outer, causedBy: span, postponing: dispatch)
    if let identity, identity != cause { noteEnd(of: identity, failures) }
    return failures
  }

  /// Throws the first error, if there is one, and reports the others.
  private func fail(_ failures: Failures?, at action: @autoclosure () -> String) throws {
    guard let failures, let first = failures.all.first else { return }
    // If all services were cancelled, one error tells it.
    for other in failures.all.dropFirst() where !(Task.isCancelled && other.error is CancellationError) {
      report(.furtherError(action: action(), error: other.error))
    }
    throw first.error
  }

  @inline(__always)  // Saves an asynchronous frame for each action.
  nonisolated(nonsending) private func carryOut<A: Action>(
    _ action: A,
    as identity: CarriedCause?,
    in outer: CallSpan?,
    causedBy cause: CallSpan?,
    postponing dispatch: CallSpan?
  ) async -> Failures? {
    if Task.isCancelled { return Failures(CancellationError(), isFinal: true) }
    do throws(ClusterError) {
      try gate.enter { outer?.isInside(id) ?? false }
    } catch {
      return Failures(error)
    }
    defer { gate.leave() }
    let route = route(for: type(of: action), in: cause ?? outer)
    if !route.isHandled, reports { reportUnhandled(action, identity) }
    guard let step = route.step else { return nil }

    let span = CallSpan(.work, of: id, in: outer, causedBy: cause)
    defer { span.close() }
    if let work = route.work {
      do {
        let isDone =
          if let identity { try deliver(as: identity) { try work.runNow(action, in: span) } } else {
            try work.runNow(action, in: span)
          }
        if isDone { return nil }
      } catch {
        let call = Call(span: span, postponing: dispatch ?? span)
        return await run(step, action, call, as: identity, after: Failures(error))
      }
    }
    let call = Call(span: span, postponing: dispatch ?? span)
    guard let identity else { return await run(step, action, call) }
    return await identity.cause.perform(on: #isolation) { await run(step, action, call) }
  }

  /// Runs a step, and sends what it has postponed.
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) private func run(_ step: Step, _ action: any Action, _ call: Call) async -> Failures? {
    var failures =
      if case .call(let handler) = step { await handler.run(action, call) } else { await step.run(action, call) }
    let span = call.span
    if call.postponing === span, !span.outbox.closeIfEmpty() { failures.add(await span.outbox.sendAll()) }
    return failures
  }

  /// Hands the failure of the only handler, which has been run and could not send, to the transforms around it.
  nonisolated(nonsending) private func run(
    _ step: Step,
    _ action: any Action,
    _ call: Call,
    as identity: CarriedCause?,
    after failure: Failures
  ) async -> Failures? {
    guard let identity else { return await step.run(action, call, after: failure) }
    return await identity.cause.perform(on: #isolation) { await step.run(action, call, after: failure) }
  }

  private func reportUnhandled(_ action: any Action, _ identity: CarriedCause?) {
    let diagnostic = ServiceDiagnostic.unhandledAction(action: String(describing: type(of: action)))
    if let identity { identity.deliver { report(diagnostic) } } else { report(diagnostic) }
  }

  /// The route of an action: under the emitter that sends it, or through the whole tree.
  private func route<A: Action>(for type: A.Type, in span: CallSpan?) -> Plan.Route {
    if let span, case .emission(let branch) = span.kind, span.cluster == id, span.isOpen,
      let plan = plans.value.branches[branch]
    {
      return plan.route(for: type)
    }
    return plans.value.whole.route(for: type)
  }

  // MARK: Starting

  /// Admits actions from now on.
  func open(_ places: ServicePlaces, emitters: [Emission]) {
    var branches: [Int: Plan] = [:]
    for emission in emitters where branches[emission.branch] == nil {
      branches[emission.branch] = Plan(places, branch: emission.branch)
    }
    plans.write(Plans(whole: Plan(places), branches: branches))
    gate.open()
  }

  /// Runs the hooks of the bootstrap in order; if one fails, takes down those that have run.
  @MainActor
  func start(_ startup: Startup) async throws {
    var taken: [LifecycleHook] = []
    do {
      // The watchers come before any action: an action that reaches a reducer waits until they have got the first
      // state.
      try await work { call in
        for notice in startup.notices { await notice(call) }
      }
      for hook in startup.hooks {
        try Task.checkCancellation()
        try await work(hook.bootstrap)
        taken.append(hook)
      }
      for emission in startup.emitters where emission.isConsumedAtBootstrap {
        try await start(emission).consumed()
      }
      try Task.checkCancellation()
      for emission in startup.emitters where !emission.isConsumedAtBootstrap {
        _ = await start(emission)
        try Task.checkCancellation()
      }
    } catch {
      await shutDown(taken)
      throw error
    }
  }

  /// Runs work that no action has caused. The actions that it postpones are sent afterwards.
  @MainActor
  private func work(_ body: @MainActor @Sendable (Call) async throws -> Void) async throws {
    let span = CallSpan(.work, of: id, in: CallContext.current.span)
    defer { span.close() }
    let call = Call(span: span, postponing: span)
    try await CallContext.$current.withValue(CallContext(span: span)) {
      try await body(call)
      try fail(await span.outbox.sendAll(), at: "What was sent while the cluster was made")
    }
  }

  private func start(_ emission: Emission) async -> RunningEmitter {
    let emitter = RunningEmitter(emission, of: id, report: report)
    emitters.withLock { $0.append(emitter) }
    await emitter.start()
    return emitter
  }

  // MARK: Ending

  /// Stops the emitters, refuses new sends, waits for the running ones, and takes the hooks down, the last one first.
  func shutDown(_ hooks: [LifecycleHook]) async {
    // A task that is part of a send cannot wait for that send to end.
    let over = CallContext.current.span?.isInside(id) == true ? nil : Latch()
    let (isFirst, isOver) = closing.withLock { closing in
      defer { closing.hasBegun = true }
      if let over, !closing.isOver { closing.waiters.append(over) }
      return (!closing.hasBegun, closing.isOver)
    }
    if isFirst {
      // The emitters stop before the gate closes, so that an emitter whose action is refused knows the reason.
      for emitter in emitters.withLock({ $0 }) { emitter.stop() }
      gate.drain()
      CallContext.$current.withValue(CallContext()) {
        _ = AmbientExecutor.startTask { await self.takeDown(hooks) }
      }
    }
    if let over, !isOver { await over.wait() }
  }

  private func takeDown(_ hooks: [LifecycleHook]) async {
    await gate.waitUntilDrained()
    // Marks the teardown as part of the cluster, so that a call of `shutdown` in it does not wait for itself.
    let span = CallSpan(.work, of: id, in: nil)
    await CallContext.$current.withValue(CallContext(span: span)) {
      for hook in hooks.reversed() {
        guard let teardown = hook.teardown else { continue }
        do {
          try await teardown()
        } catch {
          report(.teardownFailed(place: hook.place, error: error))
        }
      }
    }
    span.close()
    let waiters = closing.withLock { closing in
      defer { closing.waiters = [] }
      closing.isOver = true
      return closing.waiters
    }
    for waiter in waiters { waiter.open() }
  }

  /// The cluster has been released: no caller waits for anything.
  func abandon() {
    for emitter in emitters.withLock({ $0 }) { emitter.abandon() }
  }
}
