/// A handle of something that is registered until it is removed. Releasing the handle does nothing.
///
///     let registration = try engine.use(BookListHandler())
///     registration.cancel()   // the handler is gone
///
/// A ``Subscription``, in contrast, always cancels when it is released. So the type says whether a handle must be kept.
/// For a registration that is to end with its handle, make a subscription of it:
///
///     let subscription = Subscription { registration.cancel() }
///
/// - Concurrency: every member may be called from any thread.
public final class Registration: Sendable {
  private let lifetime: Lifetime

  package init(_ lifetime: Lifetime) {
    self.lifetime = lifetime
  }

  /// Makes a handle. `removal` runs once, at the first ``cancel()``.
  public convenience init(_ removal: @escaping @Sendable () -> Void) {
    self.init(Lifetime(removal))
  }

  /// Is `true` until the registration is cancelled, or ends for another reason.
  ///
  /// - Complexity: O(1).
  public var isActive: Bool { lifetime.isActive }

  /// Removes what was registered. Cancelling again does nothing.
  public func cancel() {
    lifetime.terminate()
  }
}
