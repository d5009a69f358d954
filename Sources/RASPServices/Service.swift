/// A part of an application that reacts to actions: a description of what is there, not a running thing.
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
/// Services form a tree. ``Bootstrap`` reads it once and makes a running ``Cluster`` of it; what a service *is* depends on
/// its place in the tree alone, so one value may stand in several places, and in several clusters.
///
/// ### Conditions
///
/// A body may use `if`, `else`, `switch`, `for` and optionals. They are decided once, when the cluster is made: the tree
/// does not change afterwards, whatever becomes of the condition.
///
/// ### Concurrency
///
/// Bodies are read on the main actor. Handlers run wherever Swift runs them, usually off the main actor, and may be
/// isolated as they like: `{ @MainActor action in … }`.
public protocol Service {
  /// What this service is made of.
  associatedtype Body: Service

  /// The services this one is made of.
  @MainActor
  @ServiceBuilder
  var body: Body { get }
}

/// A service that does nothing: to hang modifiers on, or where an expression needs one.
public struct EmptyService: Service, PrimitiveService, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  /// A service that does nothing.
  public init() {}

  func nodes(at place: Place, in building: Building) -> [Node] { [] }
}

extension Service where Body == EmptyService {
  /// Nothing.
  public var body: EmptyService { return EmptyService() }
}
