import Synchronization

/// The executor on which the tasks run that the package starts for the running code: in a test of virtual time the one
/// that knows when all of them wait, and nothing otherwise, which is the pool.
///
/// A task that is started inherits the values of the task around it, but not its executor. So the executor is such a
/// value as well.
@usableFromInline
package enum AmbientExecutor {
  @TaskLocal @usableFromInline static var bound: (any TaskExecutor)?

  /// Is `true` from the first use on. Programs other than tests pay for one look at this.
  @usableFromInline static let isUsed = Atomic<Bool>(false)

  @inlinable package static var current: (any TaskExecutor)? {
    @inline(__always) get { isUsed.load(ordering: .relaxed) ? bound : nil }
  }

  /// Runs `body`, whose tasks run on this executor.
  package static func bind<Result>(
    _ executor: any TaskExecutor,
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async throws -> Result {
    isUsed.store(true, ordering: .relaxed)
    return try await $bound.withValue(executor) {
      try await withTaskExecutorPreference(executor, isolation: actor, operation: body)
    }
  }

  /// Runs `body`; the tasks that it starts run on this executor.
  package static func bind(_ executor: any TaskExecutor, _ body: () -> Void) {
    isUsed.store(true, ordering: .relaxed)
    $bound.withValue(executor, operation: body)
  }

  /// Starts a task where the tasks of the running code run.
  @inlinable
  @discardableResult
  package static func startTask<Success: Sendable>(
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    guard let executor = current else { return Task(priority: priority, operation: operation) }
    return Task(executorPreference: executor, priority: priority, operation: operation)
  }
}
