extension Service {
  /// Turns errors of the services under this one into actions, which are sent to the whole cluster.
  ///
  ///     Group { … }.transformError { ErrorAction.error($0) }
  ///
  /// An error still ends what it would end without this modifier: under ``serial()`` the services after the one that
  /// threw do not get the action. Then `send` does not throw the error. The action that `transform` makes of it is sent
  /// instead, and `send` returns when that action is done. The nearest transform that does not return `nil` wins.
  ///
  /// - Ordering: if several services failed at the same time, each error becomes an action, in the order of the
  ///   failures.
  /// - Errors: if the action fails, `send` throws its error. As long as the action is running, no error becomes an
  ///   action, and neither does an error of an action that its handlers send: so there is never a loop. The error of a
  ///   cancelled task stays an error.
  /// - Parameter transform: makes an action of an error; `nil` leaves the error to the next transform around this one,
  ///   or to the sender.
  public func transformError(_ transform: @escaping @Sendable (any Error) -> (any Action)?) -> some Service {
    surrounded("transformError") { context in
      .transformError(ErrorTransform(action: transform, send: context.send, scope: context.scope))
    }
  }
}
