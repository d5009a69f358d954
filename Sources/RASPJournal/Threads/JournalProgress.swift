import Streams

/// How far the writer of a journal has come, and the tasks that wait for it.
///
/// Safe to share: all of it is behind the lock; latches are opened after unlocking.
package final class JournalProgress: Sendable {
  /// What a task waits for. The end of the journal ends each wait.
  package enum Goal: Sendable {
    case written(Int)
    case durable(Int)
    case end
  }

  private struct Waiter: Sendable {
    var goal: Goal
    var latch: Latch
  }

  private struct State: Sendable {
    var written: Int
    var durable: Int
    var failure: JournalError?
    var snapshotFailure: JournalError?
    var hasEnded = false
    /// Without a bound: each is a task that waits.
    var waiters: [Waiter] = []

    func hasReached(_ goal: Goal) -> Bool {
      if hasEnded { return true }
      return switch goal {
      case .written(let event): written >= event
      case .durable(let event): durable >= event
      case .end: false
      }
    }
  }

  private let state: Lock<State>

  package init(at event: Int) {
    state = Lock(State(written: event, durable: event))
  }

  package var written: Int { state.withLock { $0.written } }
  var durable: Int { state.withLock { $0.durable } }
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }
  package var failure: JournalError? { state.withLock { $0.failure } }
  /// Why the newest snapshot could not be made.
  var snapshotFailure: JournalError? { state.withLock { $0.snapshotFailure } }

  /// Returns `true` if a task waits until one of the events is on the medium.
  ///
  /// - Parameter events: those that were written and are not there yet.
  func awaitsSync(of events: Range<Int>) -> Bool {
    state.withLock { state in
      state.waiters.contains { if case .durable(let event) = $0.goal { events.contains(event) } else { false } }
    }
  }

  /// Notes how far the writer of a log is, which syncs before it tells.
  package func reach(_ entry: Int) {
    // Two callers may come in another order.
    change { state in state.written = max(state.written, entry) }
  }

  /// Notes that a log has lost its newest entries, and has all go on who wait for others.
  package func goBack(to entry: Int) {
    let waiters = state.withLock { state in
      state.written = min(state.written, entry)
      state.durable = min(state.durable, entry)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.latch.open() }
  }

  func reach(written: Int, durable: Int, snapshotFailure: JournalError? = nil) {
    change { state in
      // Two callers may come in another order.
      state.written = max(state.written, written)
      state.durable = max(state.durable, durable)
      assert(state.durable <= state.written, "more is on the medium than was written")
      state.snapshotFailure = snapshotFailure
    }
  }

  package func end(_ failure: JournalError?) {
    change { state in
      state.failure = failure
      state.hasEnded = true
    }
  }

  private func change(_ change: (inout State) -> Void) {
    let reached = state.withLock { state -> [Waiter] in
      change(&state)
      if state.waiters.isEmpty { return [] }
      let waiters = state.waiters
      state.waiters = waiters.filter { !state.hasReached($0.goal) }
      return state.waiters.count == waiters.count ? [] : waiters.filter { state.hasReached($0.goal) }
    }
    for waiter in reached { waiter.latch.open() }
  }

  /// Returns when the goal is reached, the journal has ended or the task is cancelled.
  ///
  /// - Parameter begin: is called when the task waits.
  package func wait(for goal: Goal, _ begin: () -> Void = {}) async {
    let latch = Latch()
    let waits = state.withLock { state in
      if state.hasReached(goal) { return false }
      state.waiters.append(Waiter(goal: goal, latch: latch))
      return true
    }
    if !waits { return }
    begin()
    await withTaskCancellationHandler {
      await latch.wait()
    } onCancel: {
      state.withLock { state in state.waiters.removeAll { $0.latch === latch } }
      latch.open()
    }
  }

  /// Returns when the journal has ended, also in a task that is cancelled.
  func waitForEnd() async { await Task { await wait(for: .end) }.value }
}
