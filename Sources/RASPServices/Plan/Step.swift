/// The tree as actions of one type see it: without everything that does not react to them. A lone service stands there
/// by itself, without an order and without a task around it.
indirect enum Step: Sendable {
  case call(Handler)
  /// Runs the parts of one service one after the other; the first that fails ends it.
  case sequence([Step])
  /// Runs siblings one after the other.
  case serial([Step], SerialOrder)
  /// Runs siblings at the same time, and ends when all are done.
  case concurrent([Step])
  case transformError(ErrorTransform, Step)

  /// What siblings that run one after the other need to know about failures.
  struct SerialOrder: Sendable {
    /// Is `true` if a failure ends the row, even if its error becomes an action.
    var stopsAtErrors: Bool
    /// The transforms around the siblings, the outermost first.
    var transforms: [ErrorTransform]
  }

  /// Makes the step of parts that run one after the other; `nil` if there are none.
  static func sequence(of parts: [Step?]) -> Step? {
    var steps: [Step] = []
    for part in parts {
      switch part {
      case .sequence(let inner): steps += inner
      case .some(let step): steps.append(step)
      case nil: break
      }
    }
    return steps.count > 1 ? .sequence(steps) : steps.first
  }

  /// Makes the step of siblings; `nil` if there are none.
  static func siblings(_ steps: [Step], _ order: SiblingOrder, _ transforms: [ErrorTransform]) -> Step? {
    guard steps.count > 1 else { return steps.first }
    switch order {
    case .concurrent: return .concurrent(steps)
    case .serial(let stopsAtErrors):
      return .serial(steps, SerialOrder(stopsAtErrors: stopsAtErrors, transforms: transforms))
    }
  }

  /// The handler, if no other one takes part. It may have been run without suspending before the step is run.
  var onlyHandler: Handler? {
    switch self {
    case .call(let handler): handler
    case .transformError(_, let step): step.onlyHandler
    case .sequence, .serial, .concurrent: nil
    }
  }

  /// Runs the step.
  ///
  /// - Parameter failure: the failure of the only handler, if that has been run.
  /// - Returns: `nil` if nothing failed.
  nonisolated(nonsending) func run(
    _ action: any Action,
    _ call: Call,
    after failure: Failures? = nil
  ) async -> Failures? {
    switch self {
    case .call(let handler):
      if let failure { return failure }
      return await handler.run(action, call)
    case .sequence(let steps):
      for (index, step) in steps.enumerated() {
        if index > 0, Task.isCancelled { return Failures(CancellationError(), isFinal: true) }
        if let failures = await step.run(action, call) { return failures }
      }
      return nil
    case .serial(let steps, let order):
      return await Self.runSerially(steps, order, action, call)
    case .concurrent(let steps):
      return await Self.runConcurrently(steps, action, call)
    case .transformError(let transform, let step):
      guard let failures = await step.run(action, call, after: failure) else { return nil }
      let remaining = await transform.transform(failures, in: call.span)
      return remaining.all.isEmpty ? nil : remaining
    }
  }

  /// Runs siblings one after the other. If all errors of one become actions, the next one follows.
  nonisolated(nonsending) private static func runSerially(
    _ steps: [Step],
    _ order: SerialOrder,
    _ action: any Action,
    _ call: Call
  ) async -> Failures? {
    var failures: Failures?
    for (index, step) in steps.enumerated() {
      if index > 0, Task.isCancelled {
        failures.add(Failures(CancellationError(), isFinal: true))
        return failures
      }
      guard var failed = await step.run(action, call) else { continue }
      if order.stopsAtErrors {
        failures.add(failed)
        return failures
      }
      for transform in order.transforms.reversed() where !failed.all.isEmpty {
        failed = await transform.transform(failed, in: call.span)
      }
      // Every transform has been asked.
      failures.add(failed.final)
      if !failed.all.isEmpty { return failures }
    }
    return failures
  }

  /// Collects the errors instead of throwing them, because a group that throws cancels the tasks that are still
  /// running.
  private static func runConcurrently(
    _ steps: [Step],
    _ action: any Action,
    _ call: Call
  ) async -> Failures? {
    await withTaskGroup(of: Failures?.self) { group in
      for step in steps { group.addTask { await step.run(action, call) } }
      var failures: Failures?
      for await failure in group { failures.add(failure) }
      return failures
    }
  }
}

/// The order in which services side by side get an action.
enum SiblingOrder: Sendable {
  case concurrent
  case serial(stopsAtErrors: Bool)
}
