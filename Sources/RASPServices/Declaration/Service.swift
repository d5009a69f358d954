/// A part of an application that reacts to actions. A service is a description and does not run by itself.
///
///     struct IdentityService: Service {
///       @Environment(\.analytics) private var analytics
///
///       var body: some Service {
///         Store(model: IdentityModel.self)
///           .mutate(on: IdentityAction.self) { model, action, send in … }
///       }
///     }
///
/// Services form a tree. ``Bootstrap`` reads it once and makes a running ``Cluster`` of it. The identity of a service
/// is its place in the tree, so one value may stand in several places and in several clusters.
///
/// ### Conditions
///
/// A body may use `if`, `else`, `switch`, `for` and optionals. They are decided once, when the cluster is made. The
/// tree does not change afterwards, even if the condition does.
///
/// - Concurrency: bodies are read on the main actor. Handlers run where Swift runs them, usually off the main actor,
///   and may choose an isolation: `{ @MainActor action in … }`.
public protocol Service: SendableMetatype {
  /// The type of the body.
  associatedtype Body: Service

  /// The services that this one is made of.
  @MainActor
  @ServiceBuilder
  var body: Body { get }
}

/// A service that does nothing, for modifiers that need a service, or where an expression needs one.
public struct EmptyService: Service, TreePart, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  /// Makes a service that does nothing.
  public init() {}

  func place(in context: BuildContext, of reader: TreeReader) -> Placement { Placement(context: context) }
}

extension Service where Body == EmptyService {
  /// An empty body.
  public var body: EmptyService { return EmptyService() }
}

/// The services that a ``ServiceBuilder`` makes: side by side, without a place of their own in the tree.
public struct ServiceList: Service, TreePart {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  let services: [any Service]

  init(_ services: [any Service]) {
    self.services = services
  }

  func place(in context: BuildContext, of reader: TreeReader) -> Placement {
    Placement(context: context.forSibling, parts: services.map(\.part))
  }
}

/// Makes a list of services of the statements in braces. There may be any number of them, with `if`, `else`, `switch`,
/// `for` and optionals.
///
/// - Complexity: the compiler checks each statement by itself and gives it the same type, so the time to compile a tree
///   grows with its size and no faster.
@resultBuilder
public enum ServiceBuilder {
  /// Adds a service.
  public static func buildExpression(_ service: some Service) -> ServiceList {
    ServiceList([service])
  }

  /// Adds a service whose type is not known at compile time.
  @_disfavoredOverload
  public static func buildExpression(_ service: any Service) -> ServiceList {
    ServiceList([service])
  }

  /// Adds a service, if there is one.
  @_disfavoredOverload
  public static func buildExpression(_ service: (any Service)?) -> ServiceList {
    ServiceList(service.map { [$0] } ?? [])
  }

  /// Joins all statements, in their order.
  public static func buildBlock(_ parts: ServiceList...) -> ServiceList {
    ServiceList(parts.flatMap(\.services))
  }

  /// Adds the services of an `if` without `else`.
  public static func buildOptional(_ part: ServiceList?) -> ServiceList {
    part ?? ServiceList([])
  }

  /// Adds the services of the first branch of `if` or `switch`.
  public static func buildEither(first part: ServiceList) -> ServiceList { part }

  /// Adds the services of the second branch of `if` or `switch`.
  public static func buildEither(second part: ServiceList) -> ServiceList { part }

  /// Adds the services of a `for` loop.
  public static func buildArray(_ parts: [ServiceList]) -> ServiceList {
    ServiceList(parts.flatMap(\.services))
  }

  /// Adds the services of `if #available`.
  public static func buildLimitedAvailability(_ part: ServiceList) -> ServiceList { part }
}

extension Service {
  /// This service for the reader of the tree. A service of this library takes its place itself; any other one has a
  /// body.
  ///
  /// The cast finds the services of this library, so that the public protocol requires a body and nothing else.
  var part: any TreePart { self as? any TreePart ?? ServiceWithBody(service: self) }
}

/// A service of a user: it has a body.
private struct ServiceWithBody<Content: Service>: TreePart {
  let service: Content

  func place(in context: BuildContext, of reader: TreeReader) -> Placement {
    let name = String(describing: Content.self)
    guard var inner = reader.enter(name, type: ObjectIdentifier(Content.self), in: context) else {
      return Placement(context: context)
    }
    let uses = EnvironmentUse.all(in: service) { $0 is any Service }
    if !uses.isEmpty {
      inner.scope = Scope(uses: uses.map(\.id), values: context.environment, around: context.scope)
      for use in uses {
        guard let missing = use.missingObject(context.environment) else { continue }
        reader.report(.missingEnvironmentObject(object: missing, service: inner.place))
      }
    }
    let body = CallContext.$current.withValue(CallContext(scope: inner.scope)) { service.body }
    return Placement(label: PlaceLabel(name: name), context: inner, parts: [body.part])
  }
}
