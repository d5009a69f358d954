/// A value of the environment, and what it is where nobody has said otherwise.
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
  /// What the environment holds.
  associatedtype Value: Sendable

  /// The value where nobody has said otherwise.
  static var defaultValue: Value { get }
}
