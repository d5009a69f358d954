extension Service {
  /// Turns errors of the services under this one into actions, which are sent to the whole cluster.
  ///
  ///     Group { … }.transformError { ErrorAction.error($0) }
  ///
  /// Then `send` does not throw the error. The action that `transform` makes of it is sent instead, and `send` returns
  /// when that action is done. The nearest transform that does not return `nil` wins.
  ///
  /// - Ordering: under ``serial(stoppingAtErrors:)`` the action of the error is sent as soon as the service has failed,
  ///   to the whole cluster. When it is done, the services after the one that failed get the first action. They do not
  ///   get it with `stoppingAtErrors: true`, or if the action of the error fails, too. Services that run at the same
  ///   time finish first; then each of their errors becomes an action, in the order of the failures. A closure of
  ///   ``post(action:_:)-(A.Type,_)`` around a service that failed does not run.
  /// - Errors: if the action fails, `send` throws its error. As long as the action is running, no error becomes an
  ///   action, and neither does an error of an action that its handlers send: so there is never a loop. The error of a
  ///   cancelled task stays an error.
  /// - Parameter transform: makes an action of an error; `nil` leaves the error to the next transform around this one,
  ///   or to the sender.
  public func transformError(_ transform: @escaping @Sendable (any Error) -> (any Action)?) -> some Service {
    modified("transformError") { placement, _ in
      let context = placement.context
      let transform = ErrorTransform(action: transform, send: context.send, scope: context.scope)
      placement.effect = .transformError(transform)
      placement.context.transforms.append(transform)
    }
  }
}
