/// The services that a ``ServiceBuilder`` makes: side by side, without a place of their own in the tree.
public struct ServiceList: Service, PrimitiveService {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  let services: [any Service]

  init(_ services: [any Service]) {
    self.services = services
  }

  func nodes(in context: BuildContext, with builder: TreeBuilder) -> [Node] {
    services.flatMap { builder.nodes(of: $0, in: context.forSibling) }
  }
}
