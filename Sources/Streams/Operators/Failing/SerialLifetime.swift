import RASPPrimitives

/// The lifetime of the present one of several inputs that come one after the other. It ends with its parent at the
/// latest.
///
/// The parent keeps nothing of an input that has ended, however many there are.
///
/// Safe to share: the lifetime is behind the lock, and ended after unlocking.
@usableFromInline
final class SerialLifetime: Sendable {
  private enum State: Sendable {
    case open(Lifetime?)
    case closed
  }

  private let state = Lock(State.open(nil))

  @usableFromInline
  init(of parent: Lifetime) {
    parent.onTermination { self.close() }
  }

  /// Makes the lifetime of the next input; the one before it has ended. The new one has ended already if the parent
  /// has.
  @usableFromInline
  func next() -> Lifetime {
    let lifetime = Lifetime()
    let former = state.withLock { state -> Lifetime? in
      guard case .open(let former) = state else { return lifetime }
      state = .open(lifetime)
      return former
    }
    assert(former?.isActive != true || former === lifetime, "Two inputs that come one after the other overlap.")
    former?.terminate()
    return lifetime
  }

  private func close() {
    if case .open(let present) = state.exchange(with: .closed) { present?.terminate() }
  }
}
