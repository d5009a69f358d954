import RASPPrimitives
import RASPSupport
import Streams

/// The executions of a type of command that has a policy: those that run, those that wait for their turn, and the time
/// that each may take. It does not know the type, so that an execution looks up no types.
@usableFromInline
final class Overlaps: Sendable {
  /// An execution that has not started yet, or runs.
  struct Admission: Sendable {
    let run: Run
    let proceed: @Sendable (_ isAdmitted: Bool) -> Void

    func start() {
      guard run.isOpen else { return }
      // Another execution may have ended just now, and this one begins on its thread.
      run.identity.deliver { proceed(true) }
    }
  }

  private let command: any Command.Type
  private let lines: OverlapLines<Admission>
  /// Is `true` if commands are asked for their keys. Those that run side by side in any case are not.
  @usableFromInline let asksForKeys: Bool

  /// - Returns: `nil` for a type whose executions run side by side and take any time.
  init?(of command: any Command.Type) {
    if command.overlap == .concurrent, command.timeLimit == nil { return nil }
    self.command = command
    asksForKeys = command.overlap != .concurrent
    lines = OverlapLines(command.overlap) { $0.start() }
  }

  /// Starts an execution now or later, or drops it, as the policy of the command says.
  ///
  /// - Parameters:
  ///   - run: the execution, which can be ended from outside already.
  ///   - key: tells executions of the type apart.
  ///   - proceed: starts it; with `false`, ends it because it is dropped.
  @usableFromInline
  func admit(
    _ run: Run,
    under key: (any Hashable & Sendable)?,
    _ proceed: @escaping @Sendable (_ isAdmitted: Bool) -> Void
  ) {
    let newcomer = Admission(run: run, proceed: proceed)
    guard let key else { return admit(newcomer, to: lines.common, lines.common.arrived(newcomer)) }
    let (line, answer) = lines.arrived(newcomer, under: key)
    admit(newcomer, to: line, answer)
  }

  @inline(__always)  // Saves a copy of the answer.
  private func admit(
    _ newcomer: Admission,
    to line: OverlapLine<Admission>,
    _ answer: OverlapMachine<Admission>.Answer
  ) {
    let run = newcomer.run
    switch answer {
    case .start(let number):
      run.onSettled(tell: line, number)
      newcomer.start()
    case .replace(let number, let replaced):
      run.onSettled(tell: line, number)
      replaced.run.end(with: CancellationError())
      newcomer.start()
    case .wait(let number):
      run.onSettled(tell: line, number)
    case .drop:
      newcomer.proceed(false)
    }
  }

  /// The number of keys under which something runs or waits.
  var keyCount: Int { lines.keyCount }

  /// Ends an execution that begins now when its time is over.
  @usableFromInline
  func limit(_ run: Run, on scheduler: any Scheduler) {
    guard let limit = command.timeLimit else { return }
    let (identity, command) = (run.identity, command)
    // The timer keeps the run until it is settled, which cancels the timer.
    let timer = scheduler.schedule(at: scheduler.now.later(by: limit)) {
      identity.deliver { _ = run.end(with: EngineError.timedOut(command)) }
    }
    run.onSettled { timer.cancel() }
  }
}

extension OverlapLine: RunPolicy where Work == Overlaps.Admission {}
