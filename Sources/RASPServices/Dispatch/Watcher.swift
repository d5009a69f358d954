import Streams

/// A watcher of the states of one type, which gets them one at a time, in the order in which they were made.
///
/// Safe to share: immutable but for the mutex, which is safe by itself.
final class Watcher<State: Sendable>: Sendable {
  private let order = AsyncMutex(())
  private let scope: Scope?
  private let watch: @Sendable (State) async -> Void

  /// - Parameter scope: the services whose environment `watch` reads.
  init(scope: Scope?, _ watch: @escaping @Sendable (State) async -> Void) {
    self.scope = scope
    self.watch = watch
  }

  /// Reserves the turn of a state. This is called in the round in which the state was made, and the notice is called
  /// after the round. So the states arrive in their order although different tasks deliver them.
  func notice(of state: State) -> Notices.Notice {
    let ticket = order.reserve()
    return { call in
      await self.order.withLock(ticket) { _ in
        await call.runSection(in: self.scope) { await self.watch(state) }
      }
    }
  }
}

/// The notices that one action causes. Every notice must be called, because those that were added after it wait for it.
///
/// Safe to share: the list is behind the lock.
final class Notices: Sendable {
  /// Calls a watcher, as a section of a call.
  typealias Notice = @Sendable (Call) async -> Void

  private let notices = Lock<[Notice]>([])

  func add(_ notice: @escaping Notice) {
    notices.withLock { $0.append(notice) }
  }

  func take() -> [Notice] {
    notices.exchange(with: [])
  }
}
