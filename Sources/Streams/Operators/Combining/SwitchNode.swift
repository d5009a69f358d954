/// One outer stream, at most one inner stream, one observer: the shell around ``DeliveryQueue`` that switching is made
/// of.
///
/// Safe to share: which streams run is behind the lock, and everything that reaches the observer goes through the
/// queue.
@usableFromInline
final class SwitchNode<Element: Sendable, Failure: Error>: Sendable {
  /// A value and the inner stream it came from, because that stream may be replaced while the value waits in line.
  @usableFromInline
  struct Inner: Sendable {
    @usableFromInline let value: Element
    @usableFromInline let turn: Lifetime

    @inlinable
    init(value: Element, turn: Lifetime) {
      self.value = value
      self.turn = turn
    }
  }

  private struct Running: Sendable {
    var isOuterActive = true
    var inner: Lifetime?
  }

  @usableFromInline let observer: Observer<Element, Failure>
  @usableFromInline let queue = DeliveryQueue<Inner>()
  private let outerLifetime = Lifetime()
  private let running = Lock<Running?>(Running())

  @usableFromInline
  init(into observer: Observer<Element, Failure>) {
    self.observer = observer
    observer.lifetime.onTermination { self.letGo() }
  }

  @usableFromInline
  func outer() -> Observer<Observable<Element, Failure>, Failure> {
    Observer(lifetime: outerLifetime) { inner in
      self.follow(inner)
    } onSignal: { signal in
      switch signal {
      case .end(.finished):
        // Let go of at once: whatever runs on, the outer stream is over.
        self.outerLifetime.terminate()
        self.finished { $0.isOuterActive = false }
      case .end(let failure): self.fail(failure)
      case .barrier(let resume): self.pass(resume)
      }
    }
  }

  private func follow(_ inner: Observable<Element, Failure>) {
    // A stream that has ended sends nothing more, but what it has sent still counts; a stream that was replaced does
    // not count any more. So there are two lifetimes.
    let turn = Lifetime()
    let upstream = Lifetime()
    turn.onTermination { upstream.terminate() }
    let replaced = running.withLock { running -> Lifetime? in
      // A node that has let go follows nothing.
      guard running != nil else { return turn }
      defer { running?.inner = turn }
      return running?.inner
    }
    replaced?.terminate()
    guard turn.isActive else { return }
    inner.attach(
      Observer(lifetime: upstream) { value in
        _ = self.queue.submit(Inner(value: value, turn: turn)) { self.deliver($0) }
      } onSignal: { signal in
        switch signal {
        case .end(.finished):
          upstream.terminate()
          self.finished { running in
            if running.inner === turn { running.inner = nil }
          }
        case .end(let failure): self.fail(failure)
        case .barrier(let resume): self.pass(resume)
        }
      }
    )
  }

  @inlinable
  @inline(__always)
  func deliver(_ inner: Inner) {
    if inner.turn.isActive { observer.send(inner.value) }
  }

  /// Notes that a stream finished, and ends the result behind the values in line if it was the last one running.
  private func finished(_ note: @Sendable (inout Running) -> Void) {
    let isLast = running.withLock { running in
      guard var current = running else { return false }
      note(&current)
      running = current
      return !current.isOuterActive && current.inner == nil
    }
    if isLast { _ = queue.close({ self.observer.end(.finished) }, deliver: { deliver($0) }) }
  }

  private func fail(_ failure: StreamEnd<Failure>) {
    _ = queue.close({ self.observer.end(failure) }, deliver: { deliver($0) })
    letGo()
  }

  private func pass(_ resume: @escaping @Sendable () -> Void) {
    queue.run({ self.observer.signal(.barrier(resume)) }, deliver: { deliver($0) })
  }

  private func letGo() {
    let inner = running.exchange(with: nil)?.inner
    outerLifetime.terminate()
    inner?.terminate()
  }
}
