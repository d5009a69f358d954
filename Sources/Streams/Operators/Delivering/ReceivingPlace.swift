/// What runs the task that empties the line of a ``ReceivingNode``. Nothing here depends on what waits there.
@usableFromInline
enum ReceivingPlace: Sendable {
  case actor(any Actor)
  case taskExecutor(any TaskExecutor)

  @usableFromInline
  static func executor(_ executor: some SerialExecutor) -> ReceivingPlace {
    .actor(ExecutorActor(executor))
  }

  /// The number of items that are delivered before other tasks may run on the executor.
  private static var batch: Int { 64 }

  /// Starts a task that delivers until nothing waits.
  ///
  /// - Parameter deliverNext: delivers an item; returns `false` if there is none.
  @usableFromInline
  func drain(_ deliverNext: @escaping @Sendable () -> Bool) {
    // The task delivers values of all senders, so it does not begin as a part of what the first one is in.
    OngoingWork.leave {
      CarriedCause.unknown.startTask {
        switch self {
        case .actor(let actor):
          AmbientExecutor.startTask { await Self.run(on: actor, deliverNext) }
        case .taskExecutor(let executor):
          Task(executorPreference: executor) { await Self.run(on: nil, deliverNext) }
        }
      }
    }
  }

  private static func run(on actor: isolated (any Actor)?, _ deliverNext: @Sendable () -> Bool) async {
    while true {
      for _ in 0..<batch {
        if !deliverNext() { return }
      }
      await Task.yield()
    }
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
