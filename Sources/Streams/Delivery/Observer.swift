import Synchronization

/// One stage of one subscription, as its upstream sees it.
///
/// A stage is three closures that share the chain's ``Lifetime``. They are made in inlinable code, so a chain of
/// operators is specialised where it is written. They are called only while the lifetime is active, which keeps the
/// contract's rules 1 and 6 at every stage, whatever a source does.
///
/// It is a class whose properties never change, so calling a closure of an observer that is kept alive retains nothing.
@usableFromInline
package final class Observer<Element: Sendable, Failure: Error>: Sendable {
  /// A closure of the source, to be called when everything that the source has sent so far has been handled (rule 12).
  @usableFromInline package typealias Acknowledgement = @Sendable () -> Void

  @usableFromInline package let lifetime: Lifetime
  @usableFromInline package let onValue: @Sendable (Element) -> Void
  @usableFromInline package let onEnd: @Sendable (StreamEnd<Failure>) -> Void
  @usableFromInline package let onAcknowledge: @Sendable (@escaping Acknowledgement) -> Void
  /// The token by which the source finds the observer in its ``ObserverList``. The owner of the source's queue writes
  /// and reads it.
  @usableFromInline package let token = Atomic<Int>(0)

  /// Makes the last stage of a chain, or a stage that lets values wait and so knows itself when they have been handled.
  ///
  /// - Parameter onAcknowledge: gets what is to be called when everything that was sent so far has been handled.
  ///   Without it, a value has been handled when `onValue` has returned.
  @inlinable
  package init(
    lifetime: Lifetime,
    onValue: @escaping @Sendable (Element) -> Void,
    onEnd: @escaping @Sendable (StreamEnd<Failure>) -> Void,
    onAcknowledge: @escaping @Sendable (@escaping Acknowledgement) -> Void = { $0() }
  ) {
    self.lifetime = lifetime
    self.onValue = onValue
    self.onEnd = onEnd
    self.onAcknowledge = onAcknowledge
  }

  /// Sends a value, unless the chain is over.
  @inlinable
  @inline(__always)
  package func send(_ value: Element) {
    if lifetime.isActive { onValue(value) }
  }

  /// Ends the stage, unless the chain is over.
  @inlinable
  package func end(_ end: StreamEnd<Failure>) {
    if lifetime.isActive { onEnd(end) }
  }

  /// Calls `acknowledgement` when everything that was sent so far has been handled; at once if the chain is over,
  /// because nothing will be handled any more.
  @inlinable
  package func acknowledge(_ acknowledgement: @escaping Acknowledgement) {
    if lifetime.isActive { onAcknowledge(acknowledgement) } else { acknowledgement() }
  }

  /// Makes the observer that an operator with one input hands to its upstream. Ends and acknowledgements pass, unless
  /// the operator says what an end does.
  @inlinable
  package func upstream<Input: Sendable>(
    _ onValue: @escaping @Sendable (Input) -> Void
  ) -> Observer<Input, Failure> {
    Observer<Input, Failure>(lifetime: lifetime, onValue: onValue, onEnd: onEnd, onAcknowledge: onAcknowledge)
  }

  /// Makes the observer that an operator hands to an upstream that ends by itself or fails in another way.
  /// Acknowledgements pass.
  @inlinable
  package func upstream<Input: Sendable, InputFailure: Error>(
    lifetime: Lifetime,
    _ onValue: @escaping @Sendable (Input) -> Void,
    onEnd: @escaping @Sendable (StreamEnd<InputFailure>) -> Void
  ) -> Observer<Input, InputFailure> {
    Observer<Input, InputFailure>(lifetime: lifetime, onValue: onValue, onEnd: onEnd) { [self] in self.acknowledge($0) }
  }

  /// Suspends until everything that was sent so far has been handled downstream.
  package func handled() async {
    await withCheckedContinuation { continuation in
      acknowledge { continuation.resume() }
    }
  }
}
