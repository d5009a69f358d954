/// What a task knows about where it is: it follows calls and child tasks, and nothing else could tell a nested send from
/// any other.
struct CallContext: Sendable {
  /// Not a global: each task has its own.
  @TaskLocal static var current = CallContext()

  /// The services around the code that runs, for `@Environment`.
  var scope: Scope?
  /// The send that the code that runs is part of.
  var delivery: Delivery?
  /// The turn that the code that runs has on a model or as a watcher.
  var turn: Turn?

  /// Runs `body` in a context, with the type of its errors, which `withValue` does not keep.
  static func with<Failure: Error>(
    _ context: CallContext,
    _ body: @Sendable () async throws(Failure) -> Void
  ) async throws(Failure) {
    let result: Result<Void, Failure> = await $current.withValue(context) {
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Whether this is part of a send to `cluster` that is still under way.
  func isInside(_ cluster: ObjectIdentifier) -> Bool {
    enclosing(cluster) != nil
  }

  /// Whether what is sent to `cluster` now is, or is caused by, an error that was turned into an action.
  func isFeedback(to cluster: ObjectIdentifier) -> Bool {
    var delivery = delivery
    while let current = delivery {
      if current.cluster == cluster, current.isFeedback, current.isOpen { return true }
      delivery = current.cause
    }
    return false
  }

  private func enclosing(_ cluster: ObjectIdentifier) -> Delivery? {
    var delivery = delivery
    while let current = delivery {
      if current.cluster == cluster, current.isOpen { return current }
      delivery = current.cause
    }
    return nil
  }
}
