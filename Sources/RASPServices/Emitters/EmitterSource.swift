import Streams

/// Where the actions of an emitter come from, whatever it is.
struct EmitterSource: Sendable {
  /// A source that somebody has begun to listen to.
  struct Opened: Sendable {
    /// Calls its argument for one action after the other, and returns at the end.
    let read: @Sendable (_ handle: @Sendable (any Action) async throws -> Void) async throws -> Void
    /// Stops listening.
    var close: @Sendable () -> Void = {}
  }

  /// Begins to listen: what is sent from now on is not lost.
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
      // Pushed values cannot be slowed down, and an action must not be lost.
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
