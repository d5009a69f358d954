import Synchronization

/// The shell around ``AsyncBuffer``: it locks, asks, unlocks and acts.
///
/// Unsafe continuations are safe here because the buffer hands each reader out exactly once, and hands it out in every
/// one of its ways to end; the shell resumes what it is handed, with no lock held.
@usableFromInline
final class AsyncChannel<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline
  typealias Reader = UnsafeContinuation<ReadResult<Element, Failure>, Never>

  @usableFromInline let buffer: Lock<AsyncBuffer<Element, Failure, Reader>>
  @usableFromInline let drops: DropCounter

  @inlinable
  init(policy: BufferingPolicy, drops: DropCounter) {
    buffer = Lock(AsyncBuffer(policy: policy))
    self.drops = drops
  }

  @inlinable
  func send(_ value: Element) {
    switch buffer.withLock({ $0.valueArrived(value) }) {
    case .resume(let reader, let value): reader.resume(returning: .value(value))
    case .dropped: drops.increment()
    case .buffered, .ignored: break
    }
  }

  @inlinable
  func end(_ end: StreamEnd<Failure>) {
    buffer.withLock { $0.ended(end) }?.resume(returning: .end(end))
  }

  /// What there is to read without waiting.
  @inlinable
  func take() -> ReadResult<Element, Failure>? {
    buffer.withLock { $0.take() }
  }

  @inlinable
  func next(isolation: isolated (any Actor)?) async -> ReadResult<Element, Failure> {
    await withUnsafeContinuation(isolation: isolation) { reader in
      switch buffer.withLock({ $0.readerArrived(reader) }) {
      case .resume(let result): reader.resume(returning: result)
      case .wait: break
      }
    }
  }

  @inlinable
  func cancel() {
    let (reader, abandoned, unread) = buffer.withLock { $0.cancelled() }
    reader?.resume(returning: .end(.finished))
    _ = consume abandoned
    _ = consume unread
  }
}

/// How many values the readers of one sequence have lost. Safe to share: atomic.
@usableFromInline
final class DropCounter: Sendable {
  @usableFromInline let drops = Atomic<Int>(0)

  @inlinable
  init() {}

  @inlinable var count: Int { drops.load(ordering: .relaxed) }

  @inlinable
  func increment() {
    drops.wrappingAdd(1, ordering: .relaxed)
  }
}
