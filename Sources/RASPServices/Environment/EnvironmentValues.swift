/// What surrounds a service: values that modifiers above it have set, found by its place in the tree.
///
/// A value like any other: changing a copy changes nothing else. See ``EnvironmentKey`` for how to add to it.
///
/// - Complexity: reading and setting are O(1), setting a shared copy O(values set).
public struct EnvironmentValues: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]
  private var objects: [ObjectIdentifier: any Sendable] = [:]

  /// An environment in which everything has its default value.
  public init() {}

  /// The value of a key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get {
      // Not one cast of what the dictionary gives: where that is nil, a cast to a type that is optional succeeds.
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

private struct SendKey: EnvironmentKey {
  static let defaultValue: Send = { _ in throw ClusterError.noCluster }
}

extension EnvironmentValues {
  /// How to send an action to the cluster. Everything under the modifier sends through it: handlers, side effects,
  /// emitters and transformed errors. Replace it in tests to record what is sent.
  ///
  ///     IdentityService().environment(\.send, { action in await recorder.record(action) })
  ///
  /// Outside of a cluster it throws ``ClusterError/noCluster``.
  public var send: Send {
    get { self[SendKey.self] }
    set { self[SendKey.self] = newValue }
  }
}
