import Synchronization

/// A source that has to be told when an observer of it leaves.
@usableFromInline
package protocol ObserverSource: AnyObject, Sendable {
  /// Takes an observer out, which is of the type that the source takes. It may be there no longer.
  func remove(_ observer: AnyObject)
}

/// One stage of one subscription, as its upstream sees it.
///
/// A stage is three closures that share the chain's ``Lifetime``: for values, for the end, for acknowledgements. They
/// are made in inlinable code, so a chain of operators is specialised where it is written. They are called only while
/// the lifetime is active, which keeps the contract's rules 1 and 6 at every stage, whatever a source does.
///
/// The observer that a source holds is also what the lifetime tells of its end, so nothing else has to be made, or to
/// be touched when a subscriber leaves.
///
/// It is a class whose properties never change, so calling a closure of an observer that is kept alive retains nothing.
@usableFromInline
package final class Observer<Element: Sendable, Failure: Error>: LifetimeEnding {
  /// A closure of the source, to be called when everything that the source has sent so far has been handled (rule 12).
  @usableFromInline typealias Acknowledgement = @Sendable () -> Void

  /// Handles a value at a stage; gets the observer of the next stage, which is alive during the call.
  ///
  /// Such a closure holds nothing of the subscription. So one is made per operator, and not per subscription, and the
  /// compiler can put a user's closure that captures nothing into it.
  @usableFromInline package typealias Step = @Sendable (_ value: Element, _ next: Unmanaged<AnyObject>) -> Void

  // What each value needs stands first, so that it is on few cache lines.
  @usableFromInline package let lifetime: Lifetime
  /// The observer of the next stage, or the receiver, retained; `nil` if values go to `onValue`.
  ///
  /// Safe to share: it does not change, and the object is sendable.
  @usableFromInline nonisolated(unsafe) let next: Unmanaged<AnyObject>?
  @usableFromInline let onValue: @Sendable (Element) -> Void
  @usableFromInline let step: Step
  /// The token, and in the lowest bit whether an end ends the lifetime first. One more byte would take a larger block
  /// of memory.
  @usableFromInline let tokenAndLast: Atomic<Int>
  /// Safe to share: it is set before the observer is registered with its lifetime, and read when the lifetime ends; the
  /// lifetime's lock is between the two.
  private nonisolated(unsafe) var source: (any ObserverSource)?
  @usableFromInline let onEnd: @Sendable (StreamEnd<Failure>) -> Void
  @usableFromInline package let onAcknowledge: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - isLast: whether the end of the stream is the end of the lifetime. Upstream is released then before `onEnd` is
  ///     called.
  ///   - next: gets the values by `step`; without it, they go to `onValue`.
  ///   - onAcknowledge: gets what is to be called when everything that was sent so far has been handled. Without it, a
  ///     value has been handled when `onValue` or `step` has returned.
  @inlinable
  package init(
    lifetime: Lifetime,
    isLast: Bool = false,
    onValue: @escaping @Sendable (Element) -> Void = { _ in },
    onEnd: @escaping @Sendable (StreamEnd<Failure>) -> Void,
    onAcknowledge: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    next: (AnyObject & Sendable)? = nil,
    step: @escaping Step = { _, _ in }
  ) {
    self.lifetime = lifetime
    tokenAndLast = Atomic(isLast ? 1 : 0)
    self.onValue = onValue
    self.onEnd = onEnd
    self.onAcknowledge = onAcknowledge
    self.next = next.map { .passRetained($0) }
    self.step = step
  }

  @inlinable
  deinit {
    next?.release()
  }

  /// What gets the values by `step`; `nil` if they go to `onValue`.
  @inlinable
  var receiver: AnyObject? { next?.takeUnretainedValue() }

  /// Is `true` if an end ends the lifetime first.
  @inlinable
  var isLast: Bool { tokenAndLast.load(ordering: .relaxed) & 1 == 1 }

  /// The token by which the source finds the observer in its ``ObserverList``. The owner of the source's queue writes
  /// and reads it.
  @usableFromInline
  package var token: Int {
    get { tokenAndLast.load(ordering: .relaxed) >> 1 }
    set { tokenAndLast.store(newValue << 1 | (isLast ? 1 : 0), ordering: .relaxed) }
  }

  /// Is `true` once the source has taken the observer off its list by itself, and need not be told of the end.
  var hasLeft: Bool { token == -1 }

  func noteLeft() { token = -1 }

  /// Sends a value, unless the chain is over.
  @inlinable
  @inline(__always)
  package func send(_ value: Element) {
    if lifetime.isActive { handle(value) }
  }

  @inlinable
  @inline(__always)
  func handle(_ value: Element) {
    if let next { step(value, next) } else { onValue(value) }
  }

  /// Ends the stage, unless the chain is over.
  @inlinable
  package func end(_ end: StreamEnd<Failure>) {
    if isLast ? lifetime.terminate() : lifetime.isActive { onEnd(end) }
  }

  /// Calls `acknowledgement` when everything that was sent so far has been handled; at once if the chain is over,
  /// because nothing will be handled any more.
  @inlinable
  func acknowledge(_ acknowledgement: @escaping Acknowledgement) {
    if lifetime.isActive { onAcknowledge(acknowledgement) } else { acknowledgement() }
  }

  /// Has a source take the observer out when the lifetime ends; now if it has ended. An observer has one source.
  @usableFromInline
  package func leave(_ source: any ObserverSource) {
    assert(self.source == nil, "An observer got a second source.")
    self.source = source
    lifetime.onTermination(self)
  }

  @usableFromInline
  package func lifetimeEnded() {
    source?.remove(self)
  }

  /// Makes the observer that an operator with one input hands to its upstream, if what it does with a value holds
  /// nothing of the subscription. Ends and acknowledgements pass.
  @inlinable
  package func upstream<Input: Sendable>(step: @escaping Observer<Input, Failure>.Step) -> Observer<Input, Failure> {
    Observer<Input, Failure>(
      lifetime: lifetime,
      isLast: isLast,
      onEnd: onEnd,
      onAcknowledge: onAcknowledge,
      next: self,
      step: step
    )
  }

  /// Makes the observer that an operator with one input hands to its upstream. Ends and acknowledgements pass, unless
  /// the operator says what an end does.
  @inlinable
  package func upstream<Input: Sendable>(
    _ onValue: @escaping @Sendable (Input) -> Void
  ) -> Observer<Input, Failure> {
    Observer<Input, Failure>(
      lifetime: lifetime,
      isLast: isLast,
      onValue: onValue,
      onEnd: onEnd,
      onAcknowledge: onAcknowledge
    )
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
}

extension Unmanaged where Instance == AnyObject {
  /// Calls `body` with the observer that this is.
  @inlinable
  @inline(__always)
  package func withObserver<Element: Sendable, Failure: Error>(
    _ body: (Observer<Element, Failure>) -> Void
  ) {
    _withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Observer<Element, Failure>.self)) }
  }
}
