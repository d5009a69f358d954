import RASPSupport
import Streams

/// An execution that has a place in a line.
protocol Occupant: AnyObject, Sendable {
  /// Is `true` until the execution has ended.
  var isOpen: Bool { get }

  /// Notes the place of the execution, to tell it of the end.
  func take(_ place: Place)

  @discardableResult
  func end(with error: any Error) -> Bool
}

/// The place of an execution in the line of its policy.
///
/// Executions that belong into the same line, and that the execution in the place brings about, may become part of it:
/// in the line they would wait for it for ever, cancel it, or be dropped for its sake. They share its place, which is
/// free when all of them have ended.
///
/// ```
///   waiting ──its turn──▶ running ──all have ended──▶ free
///      └──awaited in a place of the line──▶ part of that place
/// ```
///
/// Tasks inherit the places around them, so a command is found to be inside of one of its line also behind a task,
/// another engine, or a cluster.
///
/// Safe to share: what changes is behind the lock. Runs are ended, and lines are told, after unlocking.
@usableFromInline
final class Place: Sendable {
  @usableFromInline typealias Line = OverlapLine<Place>

  private struct State: Sendable {
    var line: Line?
    /// The number in the line; `nil` before it is known, when the place is free, and when it is part of another one.
    var number: Int?
    /// The place that this one is part of.
    var host: Place?
    var hasBegun = false
    var isReplaced = false
    var hasEnded = false
    /// The executions that are part of this place, and have not ended.
    var parts: [any Occupant] = []

    /// Is `true` until all executions in the place have ended.
    var isTaken: Bool { !hasEnded || !parts.isEmpty }
  }

  private let run: any Occupant
  /// Opens when the turn of the execution has come, or when it has ended before; `nil` where none waits.
  let turn: Latch?
  private let state = Lock(State())

  init(_ run: any Occupant, mayWait: Bool) {
    self.run = run
    turn = mayWait ? Latch() : nil
  }

  private static var around: [Place] { OngoingWork.around.compactMap { $0 as? Place } }

  /// Makes an execution part of a place of a line around the running code.
  ///
  /// - Returns: the place that it is part of; `nil` if there is none that is not free.
  static func around(in line: Line, taking run: any Occupant) -> Place? {
    around.last { place in
      place.state.withLock { state in
        guard state.line === line, state.isTaken, !state.isReplaced else { return false }
        state.parts.append(run)
        return true
      }
    }
  }

  /// Notes the number in the line. Until then only the line knows the place.
  func sit(in line: Line, _ number: Int) {
    state.withLock { ($0.line, $0.number) = (line, number) }
    run.take(self)
  }

  // MARK: Beginning

  /// Begins an execution whose place this is: what `body` does is part of it.
  @usableFromInline
  func begin(_ body: () -> Void) {
    let host = state.withLock { state in
      state.hasBegun = true
      return state.host
    }
    let place = host ?? self
    let around = OngoingWork.around.filter { work in
      guard let other = work as? Place else { return true }
      return other !== place && other.state.withLock(\.isTaken)
    }
    OngoingWork.bind(around + [place], body)
  }

  /// Returns when the turn of the execution has come.
  ///
  /// - Returns: `false` if it has ended before.
  @usableFromInline
  func waitForTurn() async -> Bool {
    await turn?.wait()
    return run.isOpen
  }

  /// Begins an execution that waits for its turn, if the code that is about to wait for its end is part of what it
  /// waits for. It is part of that, too.
  func beginAwaited() {
    let line = state.withLock { $0.hasBegun ? nil : $0.line }
    guard let line, let host = Self.around(in: line, taking: run) else { return }
    let number = state.withLock { state in
      defer { if state.number != nil { (state.number, state.host) = (nil, host) } }
      return state.number
    }
    // It may have ended meanwhile. It cannot have begun: its line waits for the host.
    guard let number else { return host.left(run) }
    line.left(number)
    turn?.open()
  }

  // MARK: Ending

  /// Cancels all executions in the place, because a newer one takes it.
  func replace() {
    let parts = state.withLock { state in
      state.isReplaced = true
      return state.parts
    }
    for run in [run] + parts { run.end(with: CancellationError()) }
  }

  /// Notes that one of the executions in the place has ended.
  func left(_ ended: any Occupant) {
    let (line, number, host) = state.withLock { state -> (Line?, Int?, Place?) in
      if ended === run { state.hasEnded = true }
      // What was begun last usually ends first.
      if let index = state.parts.lastIndex(where: { $0 === ended }) { state.parts.remove(at: index) }
      if state.isTaken { return (nil, nil, nil) }
      defer { (state.number, state.host) = (nil, nil) }
      return (state.line, state.number, state.host)
    }
    if let line, let number { line.left(number) }
    host?.left(run)
    if ended === run { turn?.open() }
  }
}
