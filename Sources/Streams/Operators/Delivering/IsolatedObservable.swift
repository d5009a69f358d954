/// A stream that is delivered on an actor: see ``Observable/receive(on:)-(Isolation)``.
public struct IsolatedObservable<Element: Sendable, Failure: Error, Isolation: Actor>: Sendable {
  @usableFromInline let actor: Isolation

  /// The same stream for operators: their closures run on the actor, but the compiler does not know it.
  ///
  /// - Complexity: O(1).
  public let stream: Observable<Element, Failure>

  @inlinable
  init(actor: Isolation, stream: Observable<Element, Failure>) {
    self.actor = actor
    self.stream = stream
  }

  /// Subscribes with closures that are isolated to the actor.
  ///
  /// - Parameters:
  ///   - onValue: gets the actor and the value, one call at a time.
  ///   - onEnd: gets the actor and the end, at most once.
  /// - Returns: the token. Releasing it cancels, so keep it; see ``Subscription``.
  /// - Ordering: as upstream.
  /// - Concurrency: callbacks run on the actor. ``Subscription/cancel()`` may be called from any thread; called on the
  ///   actor, it also drops the callbacks that wait.
  /// - Complexity: as ``Observable/subscribe(_:onEnd:)``.
  @inlinable
  public func subscribe(
    _ onValue: @escaping @Sendable (isolated Isolation, Element) -> Void,
    onEnd: @escaping @Sendable (isolated Isolation, StreamEnd<Failure>) -> Void = { _, _ in }
  ) -> Subscription {
    let actor = actor
    // Safe: to call a function that is isolated to its actor is to call it with the actor, and whether this is the actor is
    // checked for each value. `assumeIsolated` does the same, but it allocates two closures for each value.
    let handle = unsafeBitCast(onValue, to: (@Sendable (Isolation, Element) -> Void).self)
    return stream.subscribe { value in
      actor.preconditionIsolated()
      handle(actor, value)
    } onEnd: { end in
      actor.assumeIsolated { onEnd($0, end) }
    }
  }
}

extension IsolatedObservable where Isolation == MainActor {
  /// Subscribes with closures that run on the main actor and may touch what belongs to it.
  ///
  /// - Parameters:
  ///   - onValue: gets the value, one call at a time, on the main actor.
  ///   - onEnd: gets the end, at most once.
  /// - Returns: the token. Releasing it cancels, so keep it; see ``Subscription``.
  /// - Ordering: as upstream.
  /// - Complexity: as ``Observable/subscribe(_:onEnd:)``.
  @inlinable
  public func subscribe(
    _ onValue: @escaping @MainActor @Sendable (Element) -> Void,
    onEnd: @escaping @MainActor @Sendable (StreamEnd<Failure>) -> Void = { _ in }
  ) -> Subscription {
    // Safe as above.
    let handle = unsafeBitCast(onValue, to: (@Sendable (Element) -> Void).self)
    return stream.subscribe { value in
      MainActor.preconditionIsolated()
      handle(value)
    } onEnd: { end in
      MainActor.assumeIsolated { onEnd(end) }
    }
  }
}
