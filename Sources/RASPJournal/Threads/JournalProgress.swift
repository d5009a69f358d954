import Streams

/// How far the writer of a journal has come, and the tasks that wait for it.
///
/// Safe to share: all of it is behind the lock; continuations are resumed after unlocking, each by the call that took
/// it out.
package final class JournalProgress: Sendable {
  /// What a task waits for. The end of the journal ends each wait.
  package enum Goal: Sendable {
    case written(Int)
    case durable(Int)
    case end
  }

  private struct Waiter: Sendable {
    var goal: Goal
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var written: Int
    var durable: Int
    var failure: JournalError?
    var snapshotFailure: JournalError?
    var hasEnded = false
    /// Without a bound: each is a task that waits.
    var waiters: [Int: Waiter] = [:]
    var nextID = 0

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
      state.waiters.values.contains { if case .durable(let event) = $0.goal { events.contains(event) } else { false } }
    }
  }

  /// Notes how far the writer of a log is, which syncs before it tells.
  package func reach(_ entry: Int) {
    // Two callers may come in another order.
    change { state in state.written = max(state.written, entry) }
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
      let reached = state.waiters.filter { state.hasReached($0.value.goal) }
      for id in reached.keys { state.waiters[id] = nil }
      return Array(reached.values)
    }
    for waiter in reached { waiter.continuation.resume() }
  }

  /// Returns when the goal is reached, the journal has ended or the task is cancelled.
  ///
  /// - Parameter begin: is called when the task waits.
  package func wait(for goal: Goal, _ begin: () -> Void = {}) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = Task.isCancelled
        let waits = state.withLock { state in
          if isCancelled || state.hasReached(goal) { return false }
          assert(state.waiters[id] == nil, "a task that waits already")
          state.waiters[id] = Waiter(goal: goal, continuation: continuation)
          return true
        }
        // A cancellation from here on finds the waiter, and one before has been seen, or is seen here.
        if !waits { return continuation.resume() }
        if Task.isCancelled { cancel(id) }
        begin()
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Returns when the journal has ended, also in a task that is cancelled.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        if state.hasEnded { return false }
        state.nextID += 1
        state.waiters[state.nextID] = Waiter(goal: .end, continuation: continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
    waiter?.continuation.resume()
  }
}
