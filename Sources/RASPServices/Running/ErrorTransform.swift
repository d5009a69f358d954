/// Turns errors of the services at one place into actions.
struct ErrorTransform: Sendable {
  /// Returns `nil` to leave an error to the transform around this one.
  let action: @Sendable (any Error) -> (any Action)?
  let send: Send
  let scope: Scope?

  /// Sends errors as actions.
  ///
  /// - Returns: the errors that did not become actions, and the errors of those actions.
  func transform(_ failures: Failures, in dispatch: ActionDispatch) async -> Failures? {
    // An error of an action that was an error stays an error: turning it into an action again might go on for ever.
    if dispatch.isFeedback { return failures }
    var remaining: Failures?
    for failure in failures.all { remaining.add(await transform(failure, in: dispatch)) }
    return remaining
  }

  private func transform(_ failure: Failures.Failure, in dispatch: ActionDispatch) async -> Failures? {
    let kept = Failures(failure.error, isFinal: failure.isFinal)
    // A task that is cancelled should end, and could not send the action.
    if failure.isFinal || Task.isCancelled { return kept }
    // An action that is sent from here is caused by an error, until this dispatch is over.
    let feedback = ActionDispatch(dispatch.action, to: dispatch.cluster, isFeedback: true, in: dispatch, after: nil)
    defer { feedback.close() }
    var context = CallContext.current
    context.scope = scope
    context.dispatch = feedback
    return await CallContext.$current.withValue(context) {
      guard let action = action(failure.error) else { return kept }
      do {
        try await send(action)
        return nil
      } catch {
        return Failures(error, isFinal: true)
      }
    }
  }
}
