import Synchronization
import TaskHook

/// Runs asynchronous code on the thread that calls, and returns when it has ended, so that its count repeats. All tasks
/// that run meanwhile run on this thread, and so does the main actor, if the thread is the main one.
///
/// It uses the hook that the runtime has for that. An executor that tasks prefer would make each change of the executor
/// dearer than it is in an application, and tasks that are not children would not use it.
///
/// - Returns: the result of the code.
public func onThisThread<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
  task_hook_take { job in jobs.withLock { $0.append(UInt(bitPattern: job)) } }
  defer { task_hook_take(nil) }
  let result = Mutex<Result?>(nil)
  Task {
    let value = await body()
    result.withLock { $0 = value }
  }
  while true {
    let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if let job = job.flatMap(UnsafeMutableRawPointer.init(bitPattern:)) {
      task_hook_run(job)
    } else if let value = result.withLock({ $0 }) {
      return value
    } else {
      task_hook_drain_main_queue()
    }
  }
}

/// The addresses of the jobs that are ready.
private let jobs = Mutex<[UInt]>([])
