/// The environment of a service: values that modifiers above it have set.
///
/// Changing a copy changes no other copy. ``EnvironmentKey`` shows how to add a value.
///
/// - Complexity: reading and setting are O(1). Setting a value of a shared copy is O(values that have been set).
public struct EnvironmentValues: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]
  private var objects: [ObjectIdentifier: any Sendable] = [:]

  /// Makes an environment in which each key has its default value.
  public init() {}

  /// The value of a key.
  ///
  /// - Complexity: O(1).
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get {
      // The cast must not see the optional of the dictionary: if that is `nil`, a cast to a type that is itself
      // optional succeeds.
      guard let value = values[ObjectIdentifier(key)] else { return key.defaultValue }
      return value as? Key.Value ?? key.defaultValue
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// The nearest object of a type.
  subscript<Object: AnyObject & Sendable>(object type: Object.Type) -> Object? {
    get { objects[ObjectIdentifier(type)] as? Object }
    set { objects[ObjectIdentifier(type)] = newValue }
  }
}

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
///
/// In a module whose default isolation is the main actor, write `nonisolated extension EnvironmentValues`. Handlers
/// read the value wherever they run, so it cannot belong to the main actor.
public protocol EnvironmentKey: SendableMetatype {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The value where no modifier sets one.
  static var defaultValue: Value { get }
}

private struct SendKey: EnvironmentKey {
  static let defaultValue: Send = { _ in throw ClusterError.noCluster }
}

extension EnvironmentValues {
  /// Sends an action to the cluster. Handlers, side effects, emitters and transformed errors under a modifier send
  /// through the value that it sets. A test replaces it to record what is sent.
  ///
  ///     IdentityService().environment(\.send, { action in await recorder.record(action) })
  ///
  /// - Errors: outside of a cluster, throws ``ClusterError/noCluster``.
  public var send: Send {
    get { self[SendKey.self] }
    set { self[SendKey.self] = newValue }
  }

  /// A name of Trellis.
  @available(*, unavailable, renamed: "send")
  public var dispatch: Send {
    get { send }
    set { send = newValue }
  }
}
