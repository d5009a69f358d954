/// The services whose bodies lead to a place, each with the environment of its own place: how an `@Environment` property
/// finds the place of the service it belongs to.
///
/// One service value may stand in several places, so the property itself cannot hold the value. And a handler written in
/// the body of one service may be run by another one it was handed to, so the nearest service is not always the right one.
/// A property has an identity instead, and the scope is asked for the nearest service with that property.
final class Scope: Sendable {
  private let uses: [ObjectIdentifier]
  private let values: EnvironmentValues
  private let around: Scope?

  init(uses: [ObjectIdentifier], values: EnvironmentValues, around: Scope?) {
    self.uses = uses
    self.values = values
    self.around = around
  }

  /// The environment for a property; for one of unknown origin, that of the nearest service.
  func values(for use: ObjectIdentifier) -> EnvironmentValues {
    var scope: Scope? = self
    while let current = scope {
      if current.uses.contains(use) { return current.values }
      scope = current.around
    }
    return values
  }

  /// Runs `body` with this as what `@Environment` reads from.
  static func within<Failure: Error>(
    _ scope: Scope?,
    _ body: @Sendable () async throws(Failure) -> Void
  ) async throws(Failure) {
    guard let scope else { return try await body() }
    var context = CallContext.current
    context.scope = scope
    try await CallContext.with(context, body)
  }
}
