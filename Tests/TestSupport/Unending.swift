import Streams

/// A sequence that gives its elements, and has no further one until the task that waits for it is cancelled.
package struct Unending<Element: Sendable>: AsyncSequence, Sendable {
  package struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let sequence: Unending
    private var index = 0

    fileprivate init(sequence: Unending) {
      self.sequence = sequence
    }

    package mutating func next() async -> Element? {
      if index < sequence.elements.count {
        defer { index += 1 }
        return sequence.elements[index]
      }
      let isCancelled = sequence.isCancelled
      sequence.isAwaited.open()
      await withTaskCancellationHandler {
        await isCancelled.wait()
      } onCancel: {
        isCancelled.open()
      }
      return nil
    }
  }

  /// Fires when a task waits for what comes behind the elements.
  package let isAwaited = Latch()
  /// Fires when such a task is cancelled.
  package let isCancelled = Latch()
  private let elements: [Element]

  package init(after elements: Element...) {
    self.elements = elements
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }
}
