/// The position of the running code in clusters. It follows calls and child tasks, so that a nested send can be told
/// from any other.
struct CallContext: Sendable {
  /// Each task has its own value.
  @TaskLocal static var current = CallContext()

  /// The services around the running code, for `@Environment`.
  var scope: Scope?
  /// The dispatch of which the running code is part.
  var dispatch: ActionDispatch?
  /// The section of a mutation or a watcher in which the running code is.
  var section: NonReentrantSection?

  /// Runs `body` in a context, and keeps the type of its errors, which `withValue` does not.
  static func with<Failure: Error>(
    _ context: CallContext,
    _ body: () async throws(Failure) -> Void
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

  /// Returns `true` inside a send to `cluster` that is still running.
  func isInside(_ cluster: ObjectIdentifier) -> Bool {
    enclosing(cluster) != nil
  }

  /// Returns `true` if an action that is sent to `cluster` now is an error that was turned into an action, or is caused
  /// by one.
  func isFeedback(to cluster: ObjectIdentifier) -> Bool {
    var dispatch = dispatch
    while let current = dispatch {
      if current.cluster == cluster, current.isFeedback, current.isOpen { return true }
      dispatch = current.cause
    }
    return false
  }

  private func enclosing(_ cluster: ObjectIdentifier) -> ActionDispatch? {
    var dispatch = dispatch
    while let current = dispatch {
      if current.cluster == cluster, current.isOpen { return current }
      dispatch = current.cause
    }
    return nil
  }
}
