/// Turns errors of the services at one place into actions.
struct ErrorTransform: Sendable {
  /// Returns `nil` to leave an error to the transform around this one.
  let action: @Sendable (any Error) -> (any Action)?
  let send: Send
  let scope: Scope?

  /// Sends errors as actions.
  ///
  /// - Returns: the errors that did not become actions, and the errors of those actions.
  nonisolated(nonsending) func transform(_ failures: Failures, in span: CallSpan) async -> Failures {
    // An error of an action that was an error stays an error: turning it into an action again might go on for ever.
    if span.isFeedback(of: span.cluster) { return failures }
    var remaining = Failures.allTransformed
    for failure in failures.all {
      if let kept = await transform(failure, in: span) { remaining.add(kept) }
    }
    return remaining
  }

  nonisolated(nonsending) private func transform(
    _ failure: Failures.Failure,
    in span: CallSpan
  ) async -> Failures? {
    let kept = Failures(failure.error, isFinal: failure.isFinal)
    // A task that is cancelled should end, and could not send the action.
    if failure.isFinal || Task.isCancelled { return kept }
    // An action that is sent from here is caused by an error, until this span is over.
    let feedback = CallSpan(.feedback, of: span.cluster, in: span)
    defer { feedback.close() }
    return await CallContext.$current.withValue(CallContext(span: feedback, scope: scope)) {
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
