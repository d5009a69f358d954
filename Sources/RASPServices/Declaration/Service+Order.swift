extension Service {
  /// Hands actions to the services under this one in the order in which they stand, one after the other. The nearest of
  /// this and ``concurrent()`` wins.
  ///
  ///     Group {
  ///       IdentityService()   // knows the user …
  ///       ArticlesService()   // … before this service gets the action
  ///     }
  ///     .serial()
  ///
  /// - Errors: if a service throws, and no ``transformError(_:)`` around it turns the error into an action, the
  ///   services after it do not get the action. If the error becomes an action, they get the first action when that of
  ///   the error is done. They get nothing either if the task that sends is cancelled.
  /// - Parameter stoppingAtErrors: if `true`, the services after one that threw do not get the action, even if the
  ///   error becomes an action.
  public func serial(stoppingAtErrors: Bool = false) -> some Service {
    modified("serial") { placement, _ in placement.context.order = .serial(stopsAtErrors: stoppingAtErrors) }
  }

  /// Hands actions to the services under this one at the same time, which is the default. The nearest of this and
  /// ``serial(stoppingAtErrors:)`` wins.
  ///
  /// - Errors: if a service throws, the others finish first.
  public func concurrent() -> some Service {
    modified("concurrent") { placement, _ in placement.context.order = .concurrent }
  }
}
