/// Services side by side, to be modified together.
///
///     Group {
///       IdentityService()
///       ArticlesService()
///     }
///     .serial()
///     .transformError { ErrorAction.error($0) }
///
/// A group hands each action to those of its services that react to it: all at once, unless ``Service/serial()`` says one
/// after the other.
public struct Group: Service, PrimitiveService {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  private let content: any Service

  /// A group of what stands in the braces.
  public init(@ServiceBuilder content: () -> some Service) {
    self.content = content()
  }

  func nodes(at place: Place, in building: Building) -> [Node] {
    let place = place.inside("Group")
    return [Node(name: "Group", order: place.order, children: building.nodes(of: content, at: place))]
  }
}
