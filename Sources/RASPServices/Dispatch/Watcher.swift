import RASPSupport
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
  func notice(of state: State) -> Notice {
    let ticket = order.reserve()
    return { call in
      await self.order.withLock(ticket) { _ in
        await call.runSection(in: self.scope) { await self.watch(state) }
      }
    }
  }
}

/// Calls a watcher with a state, as a section of a call. Every notice must be called, because those that were made
/// after it wait for it.
typealias Notice = @Sendable (Call) async -> Void
