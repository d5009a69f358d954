extension Cause {
  /// The cause of what is sent here: what is being delivered on this thread, or what this task was given, whichever is
  /// further inside; otherwise ``unknown``.
  ///
  /// While nothing is recorded, nothing has an identity, so it is ``unknown``, too.
  ///
  /// - Complexity: O(1).
  public static var current: Cause { CarriedCause.present.cause }

  /// Runs `body`; this is the cause of what it sends. For code that goes on by a way of its own: a callback of another
  /// library, a thread.
  ///
  ///     let cause = Cause.current
  ///     library.load(url) { data in
  ///       cause.perform { model.send(.loaded(data)) }
  ///     }
  ///
  /// - Errors: throws what `body` throws.
  /// - Complexity: O(1), beside the costs of `body`.
  public func perform<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try CarriedCause(self).deliver(body)
  }

  /// Runs `body` in this task; this is the cause of what it sends, and of what the tasks send that it starts. A task
  /// that is started in a subscriber begins anew, unless it takes the cause along:
  ///
  ///     let token = form.select(\.address).subscribe { address in
  ///       let cause = Cause.current
  ///       Task {
  ///         await cause.perform {
  ///           let location = await geocoder.location(of: address)
  ///           form.send(.located(location))
  ///         }
  ///       }
  ///     }
  ///
  /// - Errors: throws what `body` throws.
  /// - Complexity: O(1), beside the costs of `body`.
  @discardableResult
  public func perform<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    TaskCause.noteUse()
    return try await TaskCause.$local.withValue(
      CarriedCause(self),
      operation: { try await body() },
      isolation: isolation
    )
  }

  /// Does the same for code that runs where its caller runs, whichever actor that is.
  package func perform<Result>(
    on actor: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async -> Result
  ) async -> Result {
    TaskCause.noteUse()
    return await TaskCause.$local.withValue(CarriedCause(self)) {
      // The closure runs on the actor because it uses it.
      _ = actor
      return await body()
    }
  }
}
