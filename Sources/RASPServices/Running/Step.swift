/// The tree as actions of one type see it: without everything that does not react to them. A lone service stands there
/// by itself, without an order and without a task around it.
indirect enum Step: Sendable {
  case call(Handler)
  /// Runs the steps one after the other; the first error ends it.
  case serial([Step])
  /// Runs the steps at the same time; errors are thrown when all are done.
  case concurrent([Step])
  case transformError(ErrorTransform, Step)

  init?(_ steps: [Step], _ order: ExecutionOrder) {
    switch (steps.count, order) {
    case (0, _): return nil
    case (1, _): self = steps[0]
    case (_, .serial): self = .serial(steps)
    case (_, .concurrent): self = .concurrent(steps)
    }
  }

  /// Makes the step of a tree for actions of `kind`; for actions of a type that no service names, if that is `nil`.
  init?(_ node: Node, on kind: ActionKind?) {
    func takes(_ node: Node) -> Bool {
      node.takesEverything || kind.map { node.kinds.contains($0) } ?? false
    }
    func call(_ handler: Handler) -> Step? {
      handler.kind == nil || handler.kind == kind ? .call(handler) : nil
    }
    guard takes(node) else { return nil }
    let children = Step(node.children.filter(takes).compactMap { Step($0, on: kind) }, node.order)
    let own = Step(node.handlers.compactMap(call), .serial)
    let inner = Step([own, children].compactMap { $0 }, .serial)
    let step: Step?
    switch node.effect {
    case .before(let handler): step = Step([call(handler), inner].compactMap { $0 }, .serial)
    case .after(let handler): step = Step([inner, call(handler)].compactMap { $0 }, .serial)
    case .transformError(let transform): step = inner.map { .transformError(transform, $0) }
    case nil: step = inner
    }
    guard let step else { return nil }
    self = step
  }

  /// Runs the step.
  func run(_ dispatch: ActionDispatch) async throws(Failures) {
    switch self {
    case .call(let handler):
      do {
        try await handler.run(dispatch)
      } catch {
        throw Failures(error)
      }
    case .serial(let steps):
      for (index, step) in steps.enumerated() {
        if index > 0, Task.isCancelled { throw Failures(CancellationError(), isFinal: true) }
        try await step.run(dispatch)
      }
    case .concurrent(let steps):
      try await Self.runConcurrently(steps, dispatch)
    case .transformError(let transform, let step):
      do throws(Failures) {
        try await step.run(dispatch)
      } catch {
        try await transform.transform(error, in: dispatch).get()
      }
    }
  }

  /// Collects the errors instead of throwing them, because a group that throws cancels the tasks that are still
  /// running.
  private static func runConcurrently(_ steps: [Step], _ dispatch: ActionDispatch) async throws(Failures) {
    let failures = await withTaskGroup(of: Failures?.self) { group in
      for step in steps {
        group.addTask {
          do throws(Failures) {
            try await step.run(dispatch)
            return nil
          } catch {
            return error
          }
        }
      }
      var failures: Failures?
      for await failure in group { failures.add(failure) }
      return failures
    }
    try failures.get()
  }
}
