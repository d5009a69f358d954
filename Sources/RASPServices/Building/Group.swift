/// Services side by side, which modifiers treat as one.
///
///     Group {
///       IdentityService()
///       ArticlesService()
///     }
///     .serial()
///     .transformError { ErrorAction.error($0) }
///
/// - Ordering: the services that react to an action get it at the same time. Under ``Service/serial()`` they get it one
///   after the other.
public struct Group: Service, PrimitiveService {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  private let content: any Service

  /// Makes a group of the services in the braces.
  public init(@ServiceBuilder content: () -> some Service) {
    self.content = content()
  }

  func nodes(in context: BuildContext, with builder: TreeBuilder) -> [Node] {
    let inner = context.inside("Group")
    return [Node(name: "Group", order: inner.order, children: builder.nodes(of: content, in: inner))]
  }
}
