/// The services whose bodies lead to a place, each with the environment of its own place. An `@Environment` property
/// finds the place of its service here.
///
/// One service value may stand in several places, so the property itself cannot hold the value. A handler that was
/// written in the body of one service may be run by another service, so the nearest service is not always the right
/// one. Therefore a property has an identity, and the scope looks for the nearest service that has this property.
///
/// Safe to share: immutable.
final class Scope: Sendable {
  private let uses: [ObjectIdentifier]
  private let values: EnvironmentValues
  private let around: Scope?

  init(uses: [ObjectIdentifier], values: EnvironmentValues, around: Scope?) {
    self.uses = uses
    self.values = values
    self.around = around
  }

  /// The environment for a property. A property that belongs to none of the services reads that of the nearest service.
  ///
  /// - Complexity: O(depth of services with such properties).
  func values(for use: ObjectIdentifier) -> EnvironmentValues {
    var scope: Scope? = self
    while let current = scope {
      if current.uses.contains(use) { return current.values }
      scope = current.around
    }
    return values
  }
}
