/// How errors of the services at one place become actions.
struct ErrorTransform: Sendable {
  /// `nil` leaves an error alone.
  let action: @Sendable (any Error) -> (any Action)?
  let send: Send
  let scope: Scope?

  /// Feeds errors back as actions.
  ///
  /// - Returns: what could not be turned into actions, and the errors of those actions.
  func transform(_ failures: Failures, in delivery: Delivery) async -> Failures? {
    // An error of what was an error already is the end: turning it into an action again might go on for ever.
    if delivery.isFeedback { return failures }
    var remaining: Failures?
    for failure in failures.all { remaining.add(await transform(failure, in: delivery)) }
    return remaining
  }

  private func transform(_ failure: Failures.Failure, in delivery: Delivery) async -> Failures? {
    let kept = Failures(failure.error, isFinal: failure.isFinal)
    // Who cancels wants to be done, and a cancelled task could not send the action anyhow.
    if failure.isFinal || Task.isCancelled { return kept }
    // Until it is over, what is sent from here is caused by an error.
    let feedback = Delivery(delivery.action, to: delivery.cluster, isFeedback: true, in: delivery, after: nil)
    defer { feedback.close() }
    var context = CallContext.current
    context.scope = scope
    context.delivery = feedback
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
