/// What happens with actions of one type: the tree without everything that does not react to it. A lone service is there
/// by itself, so no order and no task stands around it.
indirect enum Step: Sendable {
  case call(Handler)
  /// One after the other; the first error ends it.
  case serial([Step])
  /// All at once; errors come out when all are done.
  case concurrent([Step])
  case transformError(ErrorTransform, Step)

  /// How many steps a send takes.
  var count: Int {
    switch self {
    case .call: 1
    case .serial(let steps), .concurrent(let steps): steps.reduce(1) { $0 + $1.count }
    case .transformError(_, let step): 1 + step.count
    }
  }

  init?(_ steps: [Step], _ order: ExecutionOrder) {
    switch (steps.count, order) {
    case (0, _): return nil
    case (1, _): self = steps[0]
    case (_, .serial): self = .serial(steps)
    case (_, .concurrent): self = .concurrent(steps)
    }
  }

  /// What a tree does with actions of `kind`; with those of a type that nobody names, if that is `nil`.
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

  /// Takes the step.
  func run(_ delivery: Delivery) async throws(Failures) {
    switch self {
    case .call(let handler):
      do {
        try await handler.run(delivery)
      } catch {
        throw Failures(error)
      }
    case .serial(let steps):
      for (index, step) in steps.enumerated() {
        if index > 0, Task.isCancelled { throw Failures(CancellationError(), isFinal: true) }
        try await step.run(delivery)
      }
    case .concurrent(let steps):
      try await Self.runConcurrently(steps, delivery)
    case .transformError(let transform, let step):
      do throws(Failures) {
        try await step.run(delivery)
      } catch {
        try await transform.transform(error, in: delivery).get()
      }
    }
  }

  /// Errors are collected rather than thrown, because a group that throws cancels what is still running.
  private static func runConcurrently(_ steps: [Step], _ delivery: Delivery) async throws(Failures) {
    let failures = await withTaskGroup(of: Failures?.self) { group in
      for step in steps {
        group.addTask {
          do throws(Failures) {
            try await step.run(delivery)
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
