import NIOConcurrencyHelpers
import RASPLogs
import Streams

/// The members of a log that this process has.
///
/// Safe to share: what changes is behind the lock.
final class LogMembers: Sendable {
  private struct State: Sendable {
    var members: [Int: Task<Void, Never>] = [:]
    var number = 0
    var isClosed = false
  }

  private let state = NIOLockedValueBox(State())

  func owners(joining member: LogOwner?, in log: LogConnection) -> Observable<LogOwners, Never> {
    Observable { [self] producer in
      let number = state.withLockedValue { state in
        state.number += 1
        return state.number
      }
      let present = LogMember(member, of: log) { producer.send($0) }
      let task = Task {
        await present.run()
        producer.finish()
        self.state.withLockedValue { _ = $0.members.removeValue(forKey: number) }
      }
      let isClosed = state.withLockedValue { state in
        if !state.isClosed { state.members[number] = task }
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
      return Array(state.members.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
