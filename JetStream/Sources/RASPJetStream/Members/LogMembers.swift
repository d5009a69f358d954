import NIOConcurrencyHelpers
import Streams

/// The members of a log that this process has.
///
/// Safe to share: what changes is behind the lock.
final class LogMembers: Sendable {
  private struct State: Sendable {
    var tasks: [Int: Task<Void, Never>] = [:]
    var number = 0
    var isClosed = false
  }

  private let state = NIOLockedValueBox(State())

  func assignment(of member: String, in log: LogConnection) -> Observable<Set<Int>, Never> {
    Observable { [self] producer in
      let number = state.withLockedValue { state in
        state.number += 1
        return state.number
      }
      let task = Task {
        await LogMember(member, of: log) { producer.send($0) }.run()
        producer.finish()
        self.state.withLockedValue { _ = $0.tasks.removeValue(forKey: number) }
      }
      let isClosed = state.withLockedValue { state in
        if !state.isClosed { state.tasks[number] = task }
        return state.isClosed
      }
      if isClosed { task.cancel() }
      producer.onTermination { task.cancel() }
    }
  }

  /// Ends all of them, and returns when the members of other processes will have seen that.
  func close() async {
    let tasks = state.withLockedValue { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
