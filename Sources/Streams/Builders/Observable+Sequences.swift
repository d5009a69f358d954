extension Observable {
  /// Makes a stream that sends what an asynchronous sequence gives, then its end or its failure.
  ///
  ///     let lines = Observable(connection.lines)
  ///
  /// - Backpressure: each subscription reads the sequence in a task of its own, and not faster than its values are
  ///   handled. The task asks for the next element when the one before it has reached every observer, also if it had to
  ///   wait behind values of other sources. A value that an operator or an asynchronous reader keeps in a buffer counts
  ///   as handled.
  /// - Concurrency: the task runs on the concurrent executor, not on the actor that subscribes, and yields to other
  ///   tasks after every 64 elements. Cancelling the subscription cancels the task, and nothing is sent any more.
  /// - Errors: an error that the sequence throws by itself is a failure of the stream, also if it is a
  ///   `CancellationError`.
  /// - Complexity: subscribing and cancelling are O(1).
  ///
  /// A sequence that can be iterated only once, like `AsyncStream`, serves one subscription only.
  @inlinable
  public init<Source: AsyncSequence & Sendable>(_ sequence: Source)
  where Source.Element == Element, Source.Failure == Failure {
    self.init { (producer: AsyncProducer<Element, Failure>) async throws(Failure) in
      var iterator = sequence.makeAsyncIterator()
      var count = 0
      // A sequence may have an element for a task that is cancelled, too, and it would be lost.
      while producer.isActive, let element = try await iterator.next(isolation: nil), await producer.send(element) {
        // A sequence that always has an element never suspends, and would keep its thread of the pool.
        count &+= 1
        if count.isMultiple(of: 64) { await Task.yield() }
      }
    }
  }
}

extension Observable where Failure == Never {
  /// Makes a stream that sends the elements of a sequence to each subscriber, at once, then finishes.
  ///
  ///     Observable(1...3).subscribe { print($0) }   // 1, 2, 3
  ///
  /// - Ordering: the elements are sent before `subscribe` returns. Cancelling during the delivery stops it at that
  ///   element.
  /// - Complexity: O(elements) for each subscription.
  @inlinable
  public init(_ sequence: some Sequence<Element> & Sendable) {
    self.init(attach: { observer in
      for element in sequence {
        guard observer.lifetime.isActive else { return }
        observer.send(element)
      }
      observer.end(.finished)
    })
  }
}
