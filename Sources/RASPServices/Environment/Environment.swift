/// Reads a value of the environment that surrounds a service.
///
///     struct ArticlesService: Service {
///       @Environment(\.api) private var api
///       …
///     }
///
/// It reads the same in the body, in handlers, in bootstrap and teardown, and in tasks started from there: what surrounds
/// the service to which the property belongs, at its place in the tree. Modifiers inside the body do not change it.
///
/// Make it a stored property of the service, or of a struct, tuple, optional or enum that the service stores. In an array,
/// or as a local variable, nothing tells which place it belongs to.
///
/// Code outside of a cluster reads the default. So does a detached task, and a callback on a foreign thread: nothing tells
/// it which place it came from. Copy the value to a local constant first.
///
/// - Complexity: O(depth of services with such properties) per read.
@propertyWrapper
public struct Environment<Value>: Sendable {
  let use: EnvironmentUse
  private let read: @Sendable (EnvironmentValues) -> Value

  /// Reads what a key path leads to.
  public init(_ keyPath: any KeyPath<EnvironmentValues, Value> & Sendable) {
    use = EnvironmentUse()
    read = { $0[keyPath: keyPath] }
  }

  /// Reads the nearest object of a type, as ``Service/environmentObject(_:)`` set it; `nil` if nobody has.
  ///
  ///     @Environment(Analytics.self) private var analytics   // Analytics?
  public init<Object: AnyObject & Sendable>(_ type: Object.Type) where Value == Object? {
    use = EnvironmentUse(object: String(describing: type)) { $0[object: type] != nil }
    read = { $0[object: type] }
  }

  /// The value at the place of the service to which the property belongs; the default outside of a cluster.
  public var wrappedValue: Value {
    read(CallContext.current.scope?.values(for: use.id) ?? EnvironmentValues())
  }
}

/// A property wrapper that reads the environment, as building sees it.
protocol EnvironmentReader {
  var use: EnvironmentUse { get }
}

extension Environment: EnvironmentReader {}

/// The identity of one `@Environment` property of one service value, the same for all copies of the value.
struct EnvironmentUse: Sendable {
  private final class Token: Sendable {}

  private let token = Token()
  private let object: String?
  private let isThere: @Sendable (EnvironmentValues) -> Bool

  init(object: String? = nil, isThere: @escaping @Sendable (EnvironmentValues) -> Bool = { _ in true }) {
    self.object = object
    self.isThere = isThere
  }

  var id: ObjectIdentifier { ObjectIdentifier(token) }

  /// The name of the object that is needed and not there.
  func missingObject(_ environment: EnvironmentValues) -> String? {
    isThere(environment) ? nil : object
  }

  /// The environment properties of a service, also those inside of structs, tuples, optionals and cases in it.
  ///
  /// The only reflection there is: once per service, while a tree is built.
  static func all(in service: Any) -> [EnvironmentUse] {
    uses(in: Mirror(reflecting: service), depth: 0)
  }

  private static func uses(in mirror: Mirror, depth: Int) -> [EnvironmentUse] {
    // A struct of structs this deep has no environment in it.
    guard depth < 6 else { return [] }
    let inherited = mirror.superclassMirror.map { uses(in: $0, depth: depth + 1) } ?? []
    return mirror.children.reduce(into: inherited) { found, child in
      if let reader = child.value as? any EnvironmentReader {
        found.append(reader.use)
      } else if !(child.value is any Service) {
        let inner = Mirror(reflecting: child.value)
        switch inner.displayStyle {
        case .struct, .tuple, .optional, .enum: found += uses(in: inner, depth: depth + 1)
        default: break
        }
      }
    }
  }
}
