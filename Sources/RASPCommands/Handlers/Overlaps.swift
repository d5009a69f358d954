import RASPSupport
import Streams

/// The executions of a type of command that has a policy: those that run, those that wait for their turn, and the time
/// that each may take. It does not know the type, so that an execution looks up no types.
@usableFromInline
final class Overlaps: Sendable {
  /// When an execution begins.
  @usableFromInline
  enum Admission: Sendable {
    /// It begins now; without a place, if executions of its type run side by side.
    case now(Place?)
    /// It begins when the turn of its place has come.
    case later(Place)
    case dropped
  }

  private let command: any Command.Type
  private let lines: OverlapLines<Place>
  /// Is `true` if commands are asked for their keys. Those that run side by side in any case are not.
  @usableFromInline let asksForKeys: Bool

  /// - Returns: `nil` for a type whose executions run side by side and take any time.
  init?(of command: any Command.Type) {
    if command.overlap == .concurrent, command.timeLimit == nil { return nil }
    self.command = command
    asksForKeys = command.overlap != .concurrent
    lines = OverlapLines(command.overlap) { $0.turn?.open() }
  }

  /// Finds out when an execution begins, as the policy of the command says.
  ///
  /// With `newest` and `first`, one that a running one of its line has brought about is part of that: it would cancel
  /// it, or be dropped for its sake. With `serial` it waits like any other, for as long as nothing in that place waits
  /// for it: see ``Place/beginAwaited()``.
  ///
  /// - Parameters:
  ///   - run: the execution, which can be ended from outside already.
  ///   - key: tells executions of the type apart.
  ///   - errors: gets the report of a line that has grown.
  @usableFromInline
  func admit(_ run: Run, under key: (any Hashable & Sendable)?, reportingTo errors: ErrorReporter) -> Admission {
    guard asksForKeys else { return .now(nil) }
    if command.overlap != .serial, !OngoingWork.around.isEmpty, let line = lines.line(under: key),
      let host = Place.around(in: line, taking: run)
    {
      run.take(host)
      return .now(host)
    }
    let place = Place(run, mayWait: command.overlap == .serial)
    let (line, answer) = lines.arrived(place, under: key)
    switch answer {
    case .start(let number):
      place.sit(in: line, number)
      return .now(place)
    case .replace(let number, let replaced):
      place.sit(in: line, number)
      replaced.replace()
      return .now(place)
    case .wait(let number):
      place.sit(in: line, number)
      if line.hasGrown { errors.report(EngineError.lineGrown(command)) }
      return .later(place)
    case .drop: return .dropped
    }
  }

  /// The number of keys under which something runs or waits.
  var keyCount: Int { lines.keyCount }

  /// Ends an execution that begins now when its time is over.
  @usableFromInline
  func limit(_ run: Run, on scheduler: any Scheduler) {
    guard let limit = command.timeLimit else { return }
    let (identity, command) = (run.identity, command)
    // The timer keeps the run until it is over, which cancels the timer.
    let timer = scheduler.schedule(at: scheduler.now.later(by: limit)) {
      identity.deliver { _ = run.end(with: EngineError.timedOut(command)) }
    }
    run.whenOver { timer.cancel() }
  }
}
