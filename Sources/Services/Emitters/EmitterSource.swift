import Streams

/// Where the actions of an emitter come from, whatever it is: something to read to its end.
struct EmitterSource: Sendable {
  /// Calls its argument for one action after the other, and returns at the end.
  let read: @Sendable (_ handle: @Sendable (any Action) async throws -> Void) async throws -> Void

  init<Source: AsyncSequence & Sendable>(_ sequence: Source) where Source.Element: Action {
    read = { handle in for try await action in sequence { try await handle(action) } }
  }

  init<Source: AsyncSequence & Sendable>(_ sequence: Source) where Source.Element == any Action {
    read = { handle in for try await action in sequence { try await handle(action) } }
  }

  init<A: Action, Failure: Error>(_ observable: Observable<A, Failure>) {
    // Pushed values cannot be slowed down, and an action must not be lost.
    self.init(observable.values(buffering: .unbounded))
  }

  init<Failure: Error>(_ observable: Observable<any Action, Failure>) {
    self.init(observable.values(buffering: .unbounded))
  }
}

/// An emitter at its place in the tree.
struct Emission: Sendable {
  let source: EmitterSource
  let isConsumedAtBootstrap: Bool
  let send: Send
  let place: String
}
