extension Observable {
  /// Makes a stream that runs an asynchronous operation for each subscription, sends its result and finishes.
  ///
  ///     result  ---[a|]   task { await search() }, as soon as the operation has returned
  ///
  ///     let results = queries.observable
  ///       .debounce(for: .milliseconds(300))
  ///       .map { query in Observable.task { await search(query) } }
  ///       .switchToLatest()   // cancels the search for the query before
  ///
  /// - Parameters:
  ///   - priority: the priority of the task; that of the code that subscribes, if there is none.
  ///   - operation: runs once per subscription.
  /// - Concurrency: the operation runs on the concurrent executor, not on the actor that subscribes. Cancelling the
  ///   subscription cancels the task, and its result is not sent any more.
  /// - Errors: an error that the operation throws is the failure of the stream, also if it is a `CancellationError`
  ///   although the task was not cancelled. Where the operation throws errors of one type, and a chain of operators
  ///   follows, write ``task(failingWith:priority:_:)``.
  /// - Complexity: the cost of a task for each subscription.
  public static func task(
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable () async throws(Failure) -> Element
  ) -> Observable {
    Observable(attach: { observer in
      guard observer.lifetime.isActive else { return }
      // The end of the subscription empties this, so an operation that ignores cancellation keeps nothing of the
      // observer.
      let active = Lock<Observer<Element, Failure>?>(observer)
      let work: @Sendable () async -> Void = {
        do throws(Failure) {
          let value = try await operation()
          guard let observer = active.withLock({ $0 }) else { return }
          observer.send(value)
          observer.end(.finished)
        } catch {
          active.withLock { $0 }?.end(.failed(error))
        }
      }
      // The operation runs because of the subscription, and is brought about by the same.
      let task = CarriedCause.current.startTask { AmbientExecutor.startTask(priority: priority, work) }
      observer.lifetime.onTermination {
        task.cancel()
        let released = active.withLock { $0.take() }
        _ = consume released
      }
    })
  }
}

extension Observable where Element == Never, Failure == Never {
  /// Makes a stream that runs an asynchronous operation which may throw errors of one type. It is for a chain of
  /// operators: behind `task` alone the compiler does not find the type of the failure there.
  ///
  ///     result  ---[a|]   task(failingWith: SearchError.self) { … }, as soon as the operation has returned
  ///
  ///     let names = Observable.task(failingWith: SearchError.self) { () throws(SearchError) in try await search() }
  ///       .map { $0.names }
  ///
  /// - Parameters:
  ///   - failure: the type of the failure.
  ///   - priority: the priority of the task; that of the code that subscribes, if there is none.
  ///   - operation: runs once per subscription.
  /// - Concurrency: the operation runs on the concurrent executor. Cancelling the subscription cancels the task.
  /// - Errors: an error that the operation throws is the failure of the stream.
  /// - Complexity: the cost of a task for each subscription.
  public static func task<Value: Sendable, OperationFailure: Error>(
    failingWith failure: OperationFailure.Type,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable () async throws(OperationFailure) -> Value
  ) -> Observable<Value, OperationFailure> {
    Observable<Value, OperationFailure>.task(priority: priority, operation)
  }
}
