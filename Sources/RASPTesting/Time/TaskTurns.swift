import Streams

/// Runs the jobs of tasks one after the other, in the order in which they come, and knows when there is none: then each
/// of its tasks waits for something, or has ended.
///
/// Safe to share: the jobs are behind the lock, and each is taken out once and run after unlocking.
final class TaskTurns: TaskExecutor {
  private struct State: Sendable {
    var jobs = RingBuffer<UnownedJob>()
    /// Is `true` while a task of the pool runs jobs.
    var isRunning = false
    /// The number of jobs so far.
    var count = 0
    /// Those that wait until there is no job.
    var waiters: [UnsafeContinuation<Int, Never>] = []
  }

  private let state = Lock(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      state.count += 1
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { Task.detached { self.runJobs() } }
  }

  private func runJobs() {
    let executor = asUnownedTaskExecutor()
    while true {
      let (job, waiters, count) = state.withLock { state -> (UnownedJob?, [UnsafeContinuation<Int, Never>], Int) in
        if let job = state.jobs.popFirst() { return (job, [], 0) }
        state.isRunning = false
        defer { state.waiters = [] }
        return (nil, state.waiters, state.count)
      }
      guard let job else {
        for waiter in waiters { waiter.resume(returning: count) }
        return
      }
      job.runSynchronously(on: executor)
    }
  }

  /// Returns when every task waits for something, or has ended. What a task does on the main actor meanwhile is waited
  /// for.
  func settle() async {
    // In a task of the pool, so that this is none of the tasks that it waits for.
    await Task.detached {
      while true {
        let count = await self.idle()
        // A job that a task had put there before runs before this one.
        await MainActor.run {}
        if self.state.withLock({ !$0.isRunning && $0.count == count }) { return }
      }
    }.value
  }

  /// Returns when there is no job: the number of jobs so far.
  private func idle() async -> Int {
    await withUnsafeContinuation { waiter in
      let count = state.withLock { state -> Int? in
        if !state.isRunning { return state.count }
        state.waiters.append(waiter)
        return nil
      }
      if let count { waiter.resume(returning: count) }
    }
  }
}
