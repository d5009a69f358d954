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
  /// - Errors: if a service throws, the services after it do not get the action. They do not get it either if the task
  ///   that sends is cancelled.
  public func serial() -> some Service {
    adjustingContext("serial") { context, _ in context.order = .serial }
  }

  /// Hands actions to the services under this one at the same time, which is the default. The nearest of this and
  /// ``serial()`` wins.
  ///
  /// - Errors: if a service throws, the others finish first.
  public func concurrent() -> some Service {
    adjustingContext("concurrent") { context, _ in context.order = .concurrent }
  }
}
