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
public protocol Service {
  /// The type of the body.
  associatedtype Body: Service

  /// The services that this one is made of.
  @MainActor
  @ServiceBuilder
  var body: Body { get }
}

/// A service that does nothing, for modifiers that need a service, or where an expression needs one.
public struct EmptyService: Service, PrimitiveService, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  /// Makes a service that does nothing.
  public init() {}

  func nodes(in context: BuildContext, with builder: TreeBuilder) -> [Node] { [] }
}

extension Service where Body == EmptyService {
  /// An empty body.
  public var body: EmptyService { return EmptyService() }
}
