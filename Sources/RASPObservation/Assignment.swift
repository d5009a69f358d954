public import Streams

/// Assigns the newest value of a stream to an object of the main actor as long as there is one.
@MainActor
@usableFromInline
final class Assignment<Target: AnyObject, Value: Sendable> {
  @usableFromInline weak var target: Target?
  @usableFromInline let assign: (Target, Value) -> Void
  @usableFromInline let conflated: ConflatedValue<Value>
  @usableFromInline let isAtOnce: Bool

  /// - Parameters:
  ///   - target: the object, which is not kept.
  ///   - isAtOnce: whether a value that code of the main actor delivers is assigned at once, and not in the
  ///     next turn.
  ///   - assign: assigns a value to the object.
  @inlinable
  init(_ target: Target, atOnce isAtOnce: Bool = false, _ assign: @escaping (Target, Value) -> Void) {
    self.target = target
    self.assign = assign
    self.isAtOnce = isAtOnce
    conflated = ConflatedValue()
  }

  /// Assigns the first value before it returns. The subscription keeps this object, and this object does not keep the
  /// subscription.
  ///
  /// - Parameter current: returns the first value if another thread delivers, and the stream's is on its way.
  @inlinable
  func follow(_ stream: Observable<Value, Never>, current: () -> Value) -> Subscription {
    let (conflated, signal) = (conflated, TurnSignal())
    let isAtOnce = isAtOnce
    conflated.open()
    let lifetime = Lifetime()
    let turn = MainTurn {
      signal.begin()
      if lifetime.isActive { self.assignNewest() }
    }
    let subscription = stream.subscribe { value in
      guard conflated.deliver(value) else { return }
      if isAtOnce, MainQueue.isCurrent {
        return MainActor.assumeIsolated { self.assignNewest() }
      }
      // The newest value is assigned, and another one may have asked for the turn.
      if signal.claim() { turn.ask() }
    } onEnd: { _ in
      // Behind the turn of the last value.
      Task(priority: .high) { @MainActor in lifetime.terminate() }
    }
    lifetime.onTermination { subscription.cancel() }
    assignNewest(or: current())
    return Subscription(lifetime)
  }

  @inlinable
  func assignNewest(or other: @autoclosure () -> Value? = nil) {
    guard let value = conflated.close() ?? other(), let target else { return }
    assign(target, value)
  }
}
