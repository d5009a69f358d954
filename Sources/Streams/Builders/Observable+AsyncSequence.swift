extension Observable {
  /// Sends what an asynchronous sequence gives, then its end or its failure.
  ///
  ///     let lines = Observable(connection.lines)
  ///
  /// - Backpressure: the sequence is read by a task of each subscription, and not faster than its values are handled:
  ///   the next element is asked for when the one before it has reached every observer, even if it had to wait its turn
  ///   behind other sources. Buffers the consumer asked for count as handled.
  /// - Cancellation: cancelling the subscription cancels the task, and nothing is sent any more. An error that the
  ///   sequence throws by itself is a failure, also if it is a `CancellationError`.
  /// - Concurrency: the task runs on the concurrent executor, not on the actor that subscribes.
  ///
  /// A sequence that can be iterated only once, like `AsyncStream`, serves only one subscription.
  public init<Source: AsyncSequence & Sendable>(_ sequence: Source)
  where Source.Element == Element, Source.Failure == Failure {
    self.init(attach: { observer in
      guard observer.lifetime.isActive else { return }
      // The end of the subscription empties this, so that a sequence that ignores cancellation keeps the task alive,
      // but nothing of the observer.
      let listener = Lock<Observer<Element, Failure>?>(observer)
      let task = Task {
        do throws(Failure) {
          var iterator = sequence.makeAsyncIterator()
          while let element = try await iterator.next(isolation: nil) {
            guard let observer = listener.withLock({ $0 }) else { return }
            observer.send(element)
            await observer.handled()
          }
          listener.withLock { $0 }?.end(.finished)
        } catch {
          listener.withLock { $0 }?.end(.failed(error))
        }
      }
      observer.lifetime.onTermination {
        task.cancel()
        let released = listener.withLock { $0.take() }
        _ = consume released
      }
    })
  }
}
