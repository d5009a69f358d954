extension Service {
  /// Hands actions to all services under this one after the other, in the order in which they stand. The nearest of this
  /// and ``concurrent()`` wins.
  ///
  ///     Group {
  ///       IdentityService()   // knows who it is …
  ///       ArticlesService()   // … before this one hears of it
  ///     }
  ///     .serial()
  ///
  /// A service that throws ends it: those behind it do not get the action. So does cancelling the task that sends.
  public func serial() -> some Service {
    placed("serial") { place, _ in place.order = .serial }
  }

  /// Hands actions to all services under this at once, which is the default. The nearest of this and ``serial()`` wins.
  ///
  /// A service that throws stops nobody: the others are let finish.
  public func concurrent() -> some Service {
    placed("concurrent") { place, _ in place.order = .concurrent }
  }
}
