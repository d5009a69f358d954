import Streams

/// A serial executor that runs its jobs when a test says so, on the thread that says so.
///
/// A task that was just made begins elsewhere and is enqueued here when it hops: so a test waits for the job first.
final class ManualExecutor: SerialExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var waiter: Latch?
  }

  private let state = Lock(State())

  /// How many jobs wait.
  var jobCount: Int { state.withLock(\.jobs.count) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let waiter = state.withLock { state in
      state.jobs.append(job)
      return state.waiter.take()
    }
    waiter?.open()
  }

  /// Runs the job that has waited longest, up to its next suspension; waits for one to come, if there is none.
  func runOne() async {
    let waiter = Latch()
    let mustWait = state.withLock { state in
      if state.jobs.isEmpty { state.waiter = waiter }
      return state.jobs.isEmpty
    }
    if mustWait { await waiter.wait() }
    runPresent()
  }

  /// Runs the next job, as `runOne`, and then as many as there are, also those that come meanwhile.
  func run() async {
    await runOne()
    while runPresent() {}
  }

  /// Runs jobs, and waits for them, until `isDone`: a job that yields comes back, but not at once.
  func run(until isDone: () -> Bool) async {
    while !isDone() { await runOne() }
  }

  @discardableResult
  private func runPresent() -> Bool {
    guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else { return false }
    job.runSynchronously(on: asUnownedSerialExecutor())
    return true
  }
}

/// An actor with nothing of its own, to be delivered on.
actor PlainActor {}

/// A serial executor that runs jobs where they are enqueued. One task at a time uses it in these tests.
final class InlineSerialExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedSerialExecutor())
  }
}

/// A task executor that runs jobs where they are enqueued.
final class InlineTaskExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
