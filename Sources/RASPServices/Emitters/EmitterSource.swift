import Streams

/// The source of an emitter's actions, whatever its type.
struct EmitterSource: Sendable {
  /// A source that has been opened.
  struct Opened: Sendable {
    /// Calls its argument for one action after the other, and returns at the end.
    let read: @Sendable (_ handle: @Sendable (any Action) async throws -> Void) async throws -> Void
    /// Stops listening.
    var close: @Sendable () -> Void = {}
  }

  /// Begins to listen. Actions that the source sends from then on are not lost.
  let open: @Sendable () -> Opened

  init<Source: AsyncSequence & Sendable>(_ sequence: Source) where Source.Element: Action {
    open = { Opened { handle in for try await action in sequence { try await handle(action) } } }
  }

  init<Source: AsyncSequence & Sendable>(_ sequence: Source) where Source.Element == any Action {
    open = { Opened { handle in for try await action in sequence { try await handle(action) } } }
  }

  init<A: Action, Failure: Error>(_ observable: Observable<A, Failure>) {
    self.init(observable.map { $0 as any Action })
  }

  init<Failure: Error>(_ observable: Observable<any Action, Failure>) {
    open = {
      // Nothing can slow the sender of pushed values down, and an action must not be lost.
      let (stream, input) = AsyncThrowingStream.makeStream(of: (any Action).self, bufferingPolicy: .unbounded)
      let subscription = observable.subscribe {
        input.yield($0)
      } onEnd: { end in
        switch end {
        case .finished: input.finish()
        case .failed(let failure): input.finish(throwing: failure)
        }
      }
      return Opened { handle in
        for try await action in stream { try await handle(action) }
      } close: {
        subscription.cancel()
      }
    }
  }
}

/// An emitter at its place in the tree.
struct Emission: Sendable {
  let source: EmitterSource
  let isConsumedAtBootstrap: Bool
  let send: Send
  let place: String
}
