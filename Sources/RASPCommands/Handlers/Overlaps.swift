import RASPPrimitives
import RASPSupport
import Streams

/// The executions of a type of command that has a policy: those that run, those that wait for their turn, and the time
/// that each may take. It does not know the type, so that an execution looks up no types.
///
/// Safe to share: the machine is behind its lock, the rest does not change.
@usableFromInline
final class Overlaps: RunPolicy {
  /// An execution that has not started yet, or runs.
  private struct Entry: Sendable {
    let run: Run
    let scheduler: any Scheduler
    let proceed: @Sendable (_ isAdmitted: Bool) -> Void
  }

  private let machine: Lock<OverlapMachine<Entry>>
  /// Starts executions one after the other, so that a long line of them needs no deep stack.
  private let starter = DeliveryQueue(JobShell())
  private let command: any Command.Type

  /// - Returns: `nil` for a type whose executions run side by side and take any time.
  init?(of command: any Command.Type) {
    if command.overlap == .concurrent, command.timeLimit == nil { return nil }
    self.command = command
    machine = Lock(OverlapMachine(command.overlap))
  }

  /// Starts an execution now or later, or drops it, as the policy of the command says.
  ///
  /// - Parameters:
  ///   - run: the execution, which can be ended from outside already.
  ///   - scheduler: the time that counts.
  ///   - proceed: starts it; with `false`, ends it because it is dropped.
  @usableFromInline
  func admit(_ run: Run, on scheduler: any Scheduler, _ proceed: @escaping @Sendable (_ isAdmitted: Bool) -> Void) {
    let entry = Entry(run: run, scheduler: scheduler, proceed: proceed)
    switch machine.withLock({ $0.arrived(entry) }) {
    case .start(let number):
      run.onSettled(tell: self, number)
      start(entry)
    case .replace(let number, let replaced):
      run.onSettled(tell: self, number)
      replaced.run.end(with: CancellationError())
      start(entry)
    case .wait(let number):
      run.onSettled(tell: self, number)
    case .drop:
      proceed(false)
    }
  }

  /// Takes an execution out that has ended, and starts the one that waits for it.
  func left(_ number: Int) {
    guard let next = machine.withLock({ $0.left(number) }) else { return }
    starter.run { _, _ in self.start(next.work) }
  }

  private func start(_ entry: Entry) {
    guard entry.run.isOpen else { return }
    limit(entry.run, on: entry.scheduler)
    // Another execution may have ended just now, and this one begins on its thread.
    entry.run.identity.deliver { entry.proceed(true) }
  }

  /// Ends the execution when its time is over.
  private func limit(_ run: Run, on scheduler: any Scheduler) {
    guard let limit = command.timeLimit else { return }
    let (identity, command) = (run.identity, command)
    // The timer keeps the run until it is settled, which cancels the timer.
    let timer = scheduler.schedule(at: scheduler.now.later(by: limit)) {
      identity.deliver { _ = run.end(with: EngineError.timedOut(command)) }
    }
    run.onSettled { timer.cancel() }
  }
}
