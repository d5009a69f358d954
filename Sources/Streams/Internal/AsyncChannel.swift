import Synchronization

/// The shell around ``AsyncBuffer``: it locks, asks, unlocks and acts.
///
/// Unsafe continuations are safe here because the buffer hands each reader out exactly once, and hands it out in every
/// one of its ways to end; the shell resumes what it is handed, with no lock held.
final class AsyncChannel<Element: Sendable, Failure: Error>: Sendable {
  typealias Reader = UnsafeContinuation<StreamDelivery<Element, Failure>, Never>

  private let buffer: Lock<AsyncBuffer<Element, Failure, Reader>>
  private let drops: DropCounter

  init(policy: BufferingPolicy, drops: DropCounter) {
    buffer = Lock(AsyncBuffer(policy: policy))
    self.drops = drops
  }

  func send(_ value: Element) {
    switch buffer.withLock({ $0.valueArrived(value) }) {
    case .resume(let reader, let value): reader.resume(returning: .value(value))
    case .dropped: drops.increment()
    case .buffered, .ignored: break
    }
  }

  func end(_ end: StreamEnd<Failure>) {
    buffer.withLock { $0.ended(end) }?.resume(returning: .end(end))
  }

  /// The buffered value, if there is one, for a reader that drops the value before it.
  func takeNewer() -> Element? {
    guard let newer = buffer.withLock({ $0.takeValue() }) else { return nil }
    drops.increment()
    return newer
  }

  /// What there is to read without waiting.
  func take() -> StreamDelivery<Element, Failure>? {
    buffer.withLock { $0.take() }
  }

  func next(isolation: isolated (any Actor)?) async -> StreamDelivery<Element, Failure> {
    await withUnsafeContinuation(isolation: isolation) { reader in
      switch buffer.withLock({ $0.readerArrived(reader) }) {
      case .resume(let delivery): reader.resume(returning: delivery)
      case .wait: break
      }
    }
  }

  func cancel() {
    let (reader, abandoned, unread) = buffer.withLock { $0.cancelled() }
    reader?.resume(returning: .end(.finished))
    _ = consume abandoned
    _ = consume unread
  }
}
