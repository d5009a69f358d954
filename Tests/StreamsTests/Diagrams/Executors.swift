import RASPTesting
import Streams

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
