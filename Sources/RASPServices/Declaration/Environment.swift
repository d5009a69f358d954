/// Reads a value of the environment that surrounds a service.
///
///     struct ArticlesService: Service {
///       @Environment(\.api) private var api
///       …
///     }
///
/// The property reads the same value in the body, in handlers, in bootstrap and teardown, and in tasks that are started
/// there: the value at the place of the service to which the property belongs. Modifiers inside the body do not change
/// it.
///
/// Make it a stored property of the service, or of a struct, tuple, optional or enum that the service stores. The
/// library does not find it in an array or in a local variable, and does not know its place then.
///
/// Code outside of a cluster reads the default. So do a detached task and a callback on a foreign thread, because they
/// do not carry the place from which they were started. Copy the value to a local constant there first.
///
/// - Complexity: O(depth of services with such properties) for each read.
@propertyWrapper
public struct Environment<Value>: Sendable {
  let use: EnvironmentUse
  private let read: @Sendable (EnvironmentValues) -> Value

  /// Reads the value at a key path.
  public init(_ keyPath: any KeyPath<EnvironmentValues, Value> & Sendable) {
    use = EnvironmentUse()
    read = { $0[keyPath: keyPath] }
  }

  /// Reads the nearest object of a type that ``Service/environmentObject(_:)`` has put there; `nil` if there is none.
  ///
  /// It has a label, so that the compiler calls a wrong key of `@Environment(\.key)` a member that is missing.
  init<Object: AnyObject & Sendable>(object type: Object.Type) where Value == Object? {
    use = EnvironmentUse(object: String(describing: type)) { $0[object: type] != nil }
    read = { $0[object: type] }
  }

  /// The value at the place of the service to which the property belongs; the default outside of a cluster.
  public var wrappedValue: Value {
    read(CallContext.current.scope?.values(for: use.id) ?? EnvironmentValues())
  }
}

/// Reads the nearest object of a type that ``Service/environmentObject(_:)`` has put in the environment.
///
///     @EnvironmentObject private var analytics: Analytics?
///
/// The property is optional. Where no modifier has set an object, and outside of a cluster, it is `nil`.
///
/// - Complexity: O(depth of services with such properties) for each read.
@propertyWrapper
public struct EnvironmentObject<Object: AnyObject & Sendable>: Sendable {
  private let reader = Environment<Object?>(object: Object.self)

  /// Reads the nearest object of the type of the property.
  public init() {}

  /// The object at the place of the service to which the property belongs.
  public var wrappedValue: Object? { reader.wrappedValue }
}

extension EnvironmentObject: EnvironmentReader {
  var use: EnvironmentUse { reader.use }
}

/// A property wrapper that reads the environment, as the builder sees it.
protocol EnvironmentReader {
  var use: EnvironmentUse { get }
}

extension Environment: EnvironmentReader {}

/// The identity of one `@Environment` property of one service value. All copies of the value share it.
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

  /// The name of the object that the property needs and that is missing.
  func missingObject(_ environment: EnvironmentValues) -> String? {
    isThere(environment) ? nil : object
  }

  /// The environment properties of a service, and those inside of structs, tuples, optionals and cases that it stores.
  ///
  /// The library uses reflection only here: once for each service, while a tree is built.
  /// - Parameter isOther: says whether a stored value is another service, whose properties are its own.
  static func all(in service: Any, isOther: (Any) -> Bool) -> [EnvironmentUse] {
    uses(in: Mirror(reflecting: service), depth: 0, isOther)
  }

  private static func uses(in mirror: Mirror, depth: Int, _ isOther: (Any) -> Bool) -> [EnvironmentUse] {
    // A structure that is nested deeper than this holds no environment property.
    guard depth < 6 else { return [] }
    let inherited = mirror.superclassMirror.map { uses(in: $0, depth: depth + 1, isOther) } ?? []
    return mirror.children.reduce(into: inherited) { found, child in
      if let reader = child.value as? any EnvironmentReader {
        found.append(reader.use)
      } else if !isOther(child.value) {
        let inner = Mirror(reflecting: child.value)
        switch inner.displayStyle {
        case .struct, .tuple, .optional, .enum: found += uses(in: inner, depth: depth + 1, isOther)
        default: break
        }
      }
    }
  }
}
