extension Service {
  /// Turns errors of the services under this into actions, which are fed back to the whole cluster.
  ///
  ///     Group { … }.transformError { ErrorAction.error($0) }
  ///
  /// An error ends what it would end without this: under ``serial()`` the services behind the one that threw do not get
  /// the action. Then, instead of being thrown by `send`, it is turned into an action and that is sent; `send` returns when
  /// it is done. If several services failed at once, each error becomes an action, in the order of failing.
  ///
  /// The nearest transform that does not return `nil` wins.
  ///
  /// If the action fails in turn, `send` throws its error. While it is on its way no error is turned into an action, also
  /// not of what it makes its handlers send: so there is never a loop.
  ///
  /// The error of a cancelled task is left alone.
  ///
  /// - Parameter transform: makes an action of an error; `nil` leaves the error to the next transform around this one, or
  ///   to the sender.
  public func transformError(_ transform: @escaping @Sendable (any Error) -> (any Action)?) -> some Service {
    surrounded("transformError") { place in
      .transformError(ErrorTransform(action: transform, send: place.send, scope: place.scope))
    }
  }
}
