/// One stage of one subscription, as its upstream sees it.
///
/// A stage is two closures that share the chain's `Lifetime`. They are made in inlinable code, so a chain of operators
/// is specialised where it is written. Closures are called only while the lifetime is active, which is what keeps the
/// contract's rules 1 and 6 at every stage, whatever a source does.
///
/// A class whose properties never change, so that calling a closure of an observer that somebody holds retains nothing.
@usableFromInline
package final class Observer<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline package let lifetime: Lifetime
  @usableFromInline package let onValue: @Sendable (Element) -> Void
  @usableFromInline package let onSignal: @Sendable (Signal<Failure>) -> Void

  @inlinable
  package init(
    lifetime: Lifetime,
    onValue: @escaping @Sendable (Element) -> Void,
    onSignal: @escaping @Sendable (Signal<Failure>) -> Void
  ) {
    self.lifetime = lifetime
    self.onValue = onValue
    self.onSignal = onSignal
  }

  @inlinable
  @inline(__always)
  package func send(_ value: Element) {
    if lifetime.isActive { onValue(value) }
  }

  @inlinable
  package func signal(_ signal: Signal<Failure>) {
    if lifetime.isActive {
      onSignal(signal)
    } else if case .barrier(let resume) = signal {
      // Nobody will handle anything any more, so there is nothing to wait for.
      resume()
    }
  }

  @inlinable
  package func end(_ end: StreamEnd<Failure>) {
    signal(.end(end))
  }

  /// The observer that an operator with one input hands to its upstream: it handles the values, ends and barriers pass.
  @inlinable
  package func upstream<Input: Sendable>(
    _ onValue: @escaping @Sendable (Input) -> Void
  ) -> Observer<Input, Failure> {
    Observer<Input, Failure>(lifetime: lifetime, onValue: onValue, onSignal: onSignal)
  }

  /// Suspends until everything sent so far has been handled downstream.
  package func handled() async {
    await withCheckedContinuation { continuation in
      signal(.barrier { continuation.resume() })
    }
  }
}
