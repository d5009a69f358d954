/// A key of the environment, with the value that it has where no modifier sets one.
///
///     private struct AnalyticsKey: EnvironmentKey {
///       static let defaultValue = Analytics.off
///     }
///
///     extension EnvironmentValues {
///       var analytics: Analytics {
///         get { self[AnalyticsKey.self] }
///         set { self[AnalyticsKey.self] = newValue }
///       }
///     }
public protocol EnvironmentKey {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The value where no modifier sets one.
  static var defaultValue: Value { get }
}
