import Streams

/// A watcher of whatever type of state.
protocol AnyWatcher: Sendable {}

/// Somebody who wants to see the states of a type, one after the other, in the order in which they were made.
///
/// Safe to share: immutable but for the line, which is safe by itself.
final class Watcher<State: Sendable>: AnyWatcher {
  private let line = TurnLine()
  private let scope: Scope?
  private let watch: @Sendable (State) async -> Void

  init(scope: Scope?, _ watch: @escaping @Sendable (State) async -> Void) {
    self.scope = scope
    self.watch = watch
  }

  /// Takes the place for a state in line, in the round in which it was made; to be called, and waited for, after the
  /// round. Then the states come in order although their senders are different tasks.
  func notice(of state: State) -> Notices.Notice {
    let ticket = line.draw()
    return {
      await self.line.wait(for: ticket)
      await Scope.within(self.scope) { await self.watch(state) }
      self.line.leave()
    }
  }
}

/// What watchers are to be told because of one action. Every notice must be called, or those behind it wait for ever.
///
/// Safe to share: the list is behind the lock.
final class Notices: Sendable {
  typealias Notice = @Sendable () async -> Void

  private let notices = Lock<[Notice]>([])

  func add(_ notice: @escaping Notice) {
    notices.withLock { $0.append(notice) }
  }

  func take() -> [Notice] {
    notices.exchange(with: [])
  }
}
